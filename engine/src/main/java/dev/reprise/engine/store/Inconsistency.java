package dev.reprise.engine.store;

import org.jspecify.annotations.Nullable;

/**
 * Something that only the whole database can show: rows that do not fit together, or are damaged.
 *
 * @param rule what they break
 * @param run the key of the run that they name, which may not exist; 0 if it is about none
 * @param workflowId the workflow id that they name, or null
 * @param what in a sentence
 */
public record Inconsistency(Rule rule, long run, @Nullable String workflowId, String what) {

  /** No run's key. */
  public static final long NO_RUN = 0;

  /** What a database says of itself, which is about no run. */
  public static Inconsistency ofDatabase(String what) {
    return new Inconsistency(Rule.SOUND_DATABASE, NO_RUN, null, what);
  }

  /** What must hold in a database beside the histories themselves. */
  public enum Rule {
    /** The database is sound by its own check. */
    SOUND_DATABASE,
    /** Every row holds what the engine writes. */
    READABLE,
    /** A workflow id has one open run at most. */
    ONE_OPEN_RUN,
    /** Every row belongs to a run, and every workflow id leads to its run. */
    NO_ORPHANS,
    /** All tables agree on whether a run is open. */
    SAME_STATUS,
    /** The owner of a run is a node. */
    KNOWN_OWNER
  }
}
