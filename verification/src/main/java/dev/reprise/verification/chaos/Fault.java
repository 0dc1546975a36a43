package dev.reprise.verification.chaos;

/** What is done to the engines and their database. */
public enum Fault {
  /** {@code kill -9} of an engine process, which is started again. */
  KILL,
  /** An engine process stands still for longer than its lease, and wakes up as a stale owner. */
  FREEZE,
  /** {@code kill -9} of PostgreSQL, which is started again. */
  DATABASE,
  /** A connection is cut around a COMMIT: mostly between it and its answer. */
  CUT
}
