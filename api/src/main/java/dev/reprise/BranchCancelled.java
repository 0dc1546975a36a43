package dev.reprise;

/**
 * The branch was given up by {@link Context#withTimeout}: its waiting call and all later calls of
 * the context in it throw this. Let it pass.
 */
public final class BranchCancelled extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BranchCancelled(String message) {
    super(message);
  }
}
