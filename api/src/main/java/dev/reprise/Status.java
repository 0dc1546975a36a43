package dev.reprise;

/** Where a run is in its life. */
public enum Status {
  /** Open: running, waiting, or waiting for its turn. */
  RUNNING,
  /** Open, but held until someone resumes it. */
  BLOCKED,
  /** Closed with a result. */
  COMPLETED,
  /** Closed with a failure. */
  FAILED,
  /** Closed because somebody cancelled it. */
  CANCELLED;

  /** Whether nothing more can happen to it. */
  public boolean isClosed() {
    return switch (this) {
      case RUNNING, BLOCKED -> false;
      case COMPLETED, FAILED, CANCELLED -> true;
    };
  }
}
