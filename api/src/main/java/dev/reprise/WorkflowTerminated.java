package dev.reprise;

/**
 * The workflow was ended at once by somebody, without its code. Who asks for the result gets it.
 */
public final class WorkflowTerminated extends WorkflowNotCompleted {
  private static final long serialVersionUID = 1L;

  private final String reason;

  public WorkflowTerminated(String workflowId, String reason) {
    super(workflowId, Status.TERMINATED, "was terminated: " + reason, null);
    this.reason = reason;
  }

  /** Why. */
  public String reason() {
    return reason;
  }
}
