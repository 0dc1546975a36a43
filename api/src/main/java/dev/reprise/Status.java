package dev.reprise;

/** Where a run is in its life. */
public enum Status {
  /** Open, but not begun: it waits on a queue, or for its time. */
  QUEUED,
  /** Open: running, waiting, or waiting for its turn. */
  RUNNING,
  /** Open, but held until someone resumes it. */
  BLOCKED,
  /** Open: its code has ended without success, and what it did is being undone. */
  COMPENSATING,
  /** Open, but held: some of what it did could not be undone. It can be resumed. */
  COMPENSATION_FAILED,
  /** Closed with a result. */
  COMPLETED,
  /** Closed with a failure. */
  FAILED,
  /** Closed because somebody cancelled it. */
  CANCELLED,
  /** Closed because its time was over. */
  TIMED_OUT,
  /** Closed by somebody, without its code. */
  TERMINATED,
  /** Closed, and the workflow goes on with a new run. */
  CONTINUED;

  /** Whether nothing more can happen to it. */
  public boolean isClosed() {
    return switch (this) {
      case QUEUED, RUNNING, BLOCKED, COMPENSATING, COMPENSATION_FAILED -> false;
      case COMPLETED, FAILED, CANCELLED, TIMED_OUT, TERMINATED, CONTINUED -> true;
    };
  }

  /** Whether it is open and waits for somebody to resume it. */
  public boolean isHeld() {
    return this == BLOCKED || this == COMPENSATION_FAILED;
  }

  /** Whether it is open and goes on by itself. */
  public boolean isActive() {
    return this == RUNNING || this == COMPENSATING;
  }
}
