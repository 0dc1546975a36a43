package dev.reprise.engine.store;

/** An event with its checksum, as {@link MemoryStore} keeps it. */
record KeptEvent(EventRow event, int checksum) {
  /**
   * The run in the checksum of a first event that a task keeps: a later start with the same unique
   * key replaces it, and does not know which run waits.
   */
  static final long WITH_TASK = 0;

  static KeptEvent of(long run, EventRow event) {
    return new KeptEvent(event, event.checksum(run));
  }

  /** As a database reads it: marked if it was changed since. */
  EventRow read(long run) {
    return event.checked(run, checksum);
  }
}
