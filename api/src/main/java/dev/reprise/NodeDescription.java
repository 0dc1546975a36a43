package dev.reprise;

import java.time.Instant;
import java.util.UUID;

/**
 * What is known about a node: one incarnation of an engine or client process. One that was closed
 * in good order is none any longer.
 *
 * @param id of this incarnation
 * @param host the machine and process it is on
 * @param client whether it only starts and signals, and runs nothing
 * @param state whether the others count on it
 * @param joinedAt when it came
 * @param leaseUntil until when it may be silent; {@link Instant#MAX} for a client, from which
 *     nobody takes anything over, and where only one process at a time has the database
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
    /** It does its work; of a client, its process lives. */
    ALIVE,
    /** It is there, but has said nothing for longer than its lease: another may take over. */
    SILENT,
    /** Its process is gone: another may take over. */
    GONE,
    /** Others have taken its runs over while it was silent or gone, and it may not write. */
    FENCED
  }
}
