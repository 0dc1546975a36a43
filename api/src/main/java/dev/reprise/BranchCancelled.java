package dev.reprise;

/**
 * The branch was given up, by {@link Context#withTimeout} or with its {@link Scope}: its waiting
 * call and all later calls of the context in it throw this. Let it pass; {@link Context#shielded}
 * is for cleaning up.
 */
public final class BranchCancelled extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BranchCancelled(String message) {
    super(message);
  }
}
