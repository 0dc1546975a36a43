package dev.reprise.engine.store;

/** How processes on one database tell each other that something is ready. */
public enum WakeupMode {
  /** In the best way that the database has. */
  AUTO,
  /** By notifications of the database, beside looking from time to time. */
  NOTIFY,
  /** Not at all: each looks from time to time. */
  POLL
}
