package dev.reprise;

/** Whether a workflow id may be used again: {@link StartOptions#reuseId}. */
public enum IdReuse {
  /** Never: a start with the same input gives the run that is there, however it ended. */
  NEVER,
  /**
   * After a run that was closed without a result: it failed, was cancelled or terminated, or ran
   * out of time. One that is open or has completed is given as ever.
   */
  AFTER_FAILURE;

  /** Whether a new run may follow one that is in this state. */
  public boolean allowsAfter(Status latest) {
    return switch (latest) {
      case FAILED, CANCELLED, TIMED_OUT, TERMINATED -> this == AFTER_FAILURE;
      case QUEUED, RUNNING, BLOCKED, COMPENSATING, COMPENSATION_FAILED, COMPLETED, CONTINUED ->
          false;
    };
  }
}
