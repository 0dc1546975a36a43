package dev.reprise;

/** The workflow whose result was asked for has failed. */
public final class WorkflowFailed extends WorkflowNotCompleted {
  private static final long serialVersionUID = 1L;

  private final FailureInfo failure;

  public WorkflowFailed(String workflowId, FailureInfo failure) {
    super(workflowId, Status.FAILED, "failed: " + failure, failure.toThrowable());
    this.failure = failure;
  }

  /** What it failed with. */
  public FailureInfo failure() {
    return failure;
  }

  /**
   * Whether it failed with that exception or a subclass of it, be it that of an activity or a child
   * which the workflow did not catch.
   */
  public boolean is(Class<? extends Throwable> type) {
    return failure.stemsFrom(type);
  }
}
