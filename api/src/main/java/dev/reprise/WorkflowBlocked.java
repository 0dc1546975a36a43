package dev.reprise;

import java.util.Optional;

/**
 * The workflow whose result was asked for is held: its code and its history disagree, its code made
 * a mistake, or what it did could not be undone. Nothing is lost; it goes on after {@link
 * Client#resume} with mended code.
 */
public final class WorkflowBlocked extends WorkflowNotCompleted {
  private static final long serialVersionUID = 1L;

  private final String reason;

  /**
   * A held workflow.
   *
   * @param status {@link Status#BLOCKED} or {@link Status#COMPENSATION_FAILED}
   */
  public WorkflowBlocked(String workflowId, Status status, String reason) {
    super(workflowId, status, "is blocked: " + reason, null);
    this.reason = reason;
  }

  /** Why, with the error code in front if there is one. */
  public String reason() {
    return reason;
  }

  /** Which error it is; empty if an {@link Error} has held it, such as a stack overflow. */
  public Optional<ErrorCode> code() {
    return ErrorCode.of(reason);
  }
}
