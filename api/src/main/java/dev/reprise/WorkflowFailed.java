package dev.reprise;

/** The workflow whose result was asked for has failed. */
public final class WorkflowFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String workflowId;
  private final FailureInfo failure;

  public WorkflowFailed(String workflowId, FailureInfo failure) {
    super(
        "workflow '%s' failed: %s".formatted(Texts.shown(workflowId), failure),
        failure.toThrowable());
    this.workflowId = workflowId;
    this.failure = failure;
  }

  /** The workflow. */
  public String workflowId() {
    return workflowId;
  }

  /** What it failed with. */
  public FailureInfo failure() {
    return failure;
  }

  /** Whether it failed with that exception or a subclass of it. */
  public boolean is(Class<? extends Throwable> type) {
    return failure.is(type);
  }
}
