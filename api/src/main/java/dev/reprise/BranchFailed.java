package dev.reprise;

/** A branch ended with a checked exception, which is the cause. */
public final class BranchFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BranchFailed(Throwable cause) {
    super(cause);
  }
}
