package dev.reprise;

import org.jspecify.annotations.Nullable;

/**
 * The workflow whose result was asked for has none: it failed, was cancelled or terminated, ran out
 * of time, or is held until somebody resumes it. {@link #status()} says which.
 */
public abstract sealed class WorkflowNotCompleted extends RuntimeException
    permits WorkflowFailed,
        WorkflowCancelled,
        WorkflowTimedOut,
        WorkflowTerminated,
        WorkflowBlocked {
  private static final long serialVersionUID = 1L;

  private final String workflowId;
  private final Status status;

  WorkflowNotCompleted(
      String workflowId, Status status, String message, @Nullable Throwable cause) {
    super("workflow '%s' %s".formatted(Texts.shown(workflowId), message), cause);
    this.workflowId = workflowId;
    this.status = status;
  }

  /** The workflow. */
  public final String workflowId() {
    return workflowId;
  }

  /** Where it is in its life: closed without a result, or held. */
  public final Status status() {
    return status;
  }
}
