package dev.reprise.engine.store;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task as the store has it.
 *
 * @param ref which
 * @param task what was put on the queue; {@code visibleAt} is that of the next attempt
 * @param state where it is
 * @param attempt how often it was handed out
 * @param scheduledAt when it was put on the queue
 * @param leaseUntil of one that a worker has: how long the worker may be silent; or null
 * @param deadline when the attempt must have ended; null if it need not, or none is under way
 * @param cancelled whether nobody wants it any more
 * @param worker who has it, or had it last; or null
 * @param retry what its worker said about retries, as JSON; or null
 * @param heartbeat the last details, or null
 * @param heartbeatAt when they came, or null
 */
public record TaskView(
    TaskRef ref,
    NewTask task,
    State state,
    int attempt,
    Instant scheduledAt,
    @Nullable Instant leaseUntil,
    @Nullable Instant deadline,
    boolean cancelled,
    @Nullable String worker,
    @Nullable String retry,
    byte @Nullable [] heartbeat,
    @Nullable Instant heartbeatAt) {

  /** Where a task is. Names are what the database has. */
  public enum State {
    /** It waits for its time. */
    DELAYED,
    /** It waits for a worker. */
    READY,
    /** A worker has it. */
    LEASED,
    /** It waits to be completed from outside. */
    EXTERNAL,
    /** It is a run that has begun and not closed. */
    OPEN
  }

  public Duration lease() {
    return task.lease();
  }
}
