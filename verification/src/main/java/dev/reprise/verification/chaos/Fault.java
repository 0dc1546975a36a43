package dev.reprise.verification.chaos;

/** What is done to the engines and their database. */
public enum Fault {
  /** {@code kill -9} of an engine process, which is started again. */
  KILL(5),
  /** An engine process stands still for longer than its lease, and wakes up as a stale owner. */
  FREEZE(10),
  /** {@code kill -9} of PostgreSQL, which is started again. */
  DATABASE(25),
  /** A connection is cut around a COMMIT: mostly between it and its answer. */
  CUT(3);

  private final int work;

  Fault(int work) {
    this.work = work;
  }

  /** How many workflows end, at the least, between two of its kind. */
  int work() {
    return work;
  }
}
