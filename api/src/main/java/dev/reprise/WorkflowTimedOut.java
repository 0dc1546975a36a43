package dev.reprise;

/**
 * The run took longer than it may. In workflow code, the call of the context that waits and all
 * later ones throw it; who asks for the result gets it too.
 */
public final class WorkflowTimedOut extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String workflowId;
  private final String reason;

  public WorkflowTimedOut(String workflowId, String reason) {
    super("workflow '%s' took longer than it may: %s".formatted(Texts.shown(workflowId), reason));
    this.workflowId = workflowId;
    this.reason = reason;
  }

  /** The workflow. */
  public String workflowId() {
    return workflowId;
  }

  /** Why. */
  public String reason() {
    return reason;
  }
}
