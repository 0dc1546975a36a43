package dev.reprise.engine.store;

import org.jspecify.annotations.Nullable;

/**
 * Rows of different tables that do not fit together.
 *
 * @param rule what they break
 * @param run the key of the run that they name, which may not exist
 * @param workflowId the workflow id that they name, or null
 * @param what in a sentence
 */
public record Inconsistency(Rule rule, long run, @Nullable String workflowId, String what) {

  /** What must hold between the tables of a database. */
  public enum Rule {
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
