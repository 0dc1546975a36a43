package dev.reprise;

/**
 * The workflow was cancelled. In workflow code, the call of the context that waits and all later
 * ones throw it: clean up in {@link Context#shielded}, then let it pass. Who asks for the result
 * gets it too.
 */
public final class WorkflowCancelled extends WorkflowNotCompleted {
  private static final long serialVersionUID = 1L;

  private final String reason;

  public WorkflowCancelled(String workflowId, String reason) {
    super(workflowId, Status.CANCELLED, "was cancelled: " + reason, null);
    this.reason = reason;
  }

  /** Why, as the one who cancelled it said. */
  public String reason() {
    return reason;
  }
}
