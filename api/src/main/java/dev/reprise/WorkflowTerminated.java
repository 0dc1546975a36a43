package dev.reprise;

/**
 * The workflow was ended at once by somebody, without its code. Who asks for the result gets it.
 */
public final class WorkflowTerminated extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String workflowId;
  private final String reason;

  public WorkflowTerminated(String workflowId, String reason) {
    super("workflow '%s' was terminated: %s".formatted(Texts.shown(workflowId), reason));
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
