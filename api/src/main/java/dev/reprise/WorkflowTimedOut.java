package dev.reprise;

/**
 * The run took longer than it may. In workflow code, the call of the context that waits and all
 * later ones throw it; who asks for the result gets it too.
 */
public final class WorkflowTimedOut extends WorkflowNotCompleted {
  private static final long serialVersionUID = 1L;

  private final String reason;

  public WorkflowTimedOut(String workflowId, String reason) {
    super(workflowId, Status.TIMED_OUT, "took longer than it may: " + reason, null);
    this.reason = reason;
  }

  /** Why. */
  public String reason() {
    return reason;
  }
}
