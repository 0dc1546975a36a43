package dev.reprise;

/**
 * A child workflow did not complete: it failed, was cancelled or terminated, ran out of time, or
 * could not be started.
 */
public final class ChildFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String workflowId;
  private final Status status;
  private final FailureInfo failure;

  public ChildFailed(String workflowId, Status status, FailureInfo failure) {
    super(
        "child workflow '%s' ended as %s: %s".formatted(Texts.shown(workflowId), status, failure));
    this.workflowId = workflowId;
    this.status = status;
    this.failure = failure;
    initCause(failure.toThrowable());
  }

  /** The child's workflow id. */
  public String workflowId() {
    return workflowId;
  }

  /** How it ended. */
  public Status status() {
    return status;
  }

  /** What it failed with, or why it was ended. */
  public FailureInfo failure() {
    return failure;
  }

  /**
   * Whether it failed with that exception or a subclass of it, be it that of an activity or a child
   * of its own.
   */
  public boolean is(Class<? extends Throwable> type) {
    return failure.stemsFrom(type);
  }
}
