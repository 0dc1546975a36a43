package dev.reprise;

import java.time.Instant;
import java.util.UUID;

/**
 * What is known about a node: one incarnation of an engine or client process.
 *
 * @param id of this incarnation
 * @param host the machine and process it is on
 * @param client whether it only starts and signals, and runs nothing
 * @param state whether the others count on it
 * @param joinedAt when it came
 * @param leaseUntil until when it may be silent; {@link Instant#MAX} where only one process at a
 *     time has the database
 * @param runs how many open runs it has
 */
public record NodeDescription(
    UUID id,
    String host,
    boolean client,
    State state,
    Instant joinedAt,
    Instant leaseUntil,
    long runs) {

  /** Whether the others count on a node. */
  public enum State {
    /** It does its work. */
    ALIVE,
    /** It is there, but has said nothing for longer than its lease: another may take over. */
    SILENT,
    /** Its process is gone: another may take over. */
    GONE,
    /** It may not write any more, and its runs are free. */
    FENCED
  }
}
