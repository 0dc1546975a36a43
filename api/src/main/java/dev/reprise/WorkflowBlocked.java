package dev.reprise;

/**
 * The workflow whose result was asked for is blocked: its code and its history disagree, or its
 * code made a mistake. Nothing is lost; it goes on after {@link Client#resume} with mended code.
 */
public final class WorkflowBlocked extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String workflowId;
  private final String reason;

  public WorkflowBlocked(String workflowId, String reason) {
    super("workflow '%s' is blocked: %s".formatted(Texts.shown(workflowId), reason));
    this.workflowId = workflowId;
    this.reason = reason;
  }

  /** The workflow. */
  public String workflowId() {
    return workflowId;
  }

  /** Why, with the error code in front. */
  public String reason() {
    return reason;
  }
}
