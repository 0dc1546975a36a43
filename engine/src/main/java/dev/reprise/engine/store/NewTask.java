package dev.reprise.engine.store;

import dev.reprise.Durations;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that is put on a queue: an activity with the event that asked for it, or a run with its
 * start.
 *
 * @param index of the event that asked for the activity; 0 for a run
 * @param queue on which; empty for a run that only waits for its time
 * @param name of the activity or the workflow: only workers that have it take the task
 * @param key for whom it is; empty if nobody said
 * @param priority lower numbers first
 * @param visibleAt not handed out before
 * @param lease how long a worker may be silent about an attempt
 * @param attemptLimit how long an attempt may take, or null
 * @param waitUntil it must have been handed out by then, or null
 * @param until it must have ended by then, or null
 * @param unique of two runs of a queue with the same there is one; null if it does not matter
 * @param debounced whether {@code unique} counts only until it is handed out
 */
public record NewTask(
    int index,
    String queue,
    String name,
    String key,
    int priority,
    Instant visibleAt,
    Duration lease,
    @Nullable Duration attemptLimit,
    @Nullable Instant waitUntil,
    @Nullable Instant until,
    @Nullable String unique,
    boolean debounced) {

  /** No store has to count with a duration that does not fit. */
  public NewTask {
    lease = Durations.bounded(lease);
    if (attemptLimit != null) attemptLimit = Durations.bounded(attemptLimit);
  }

  /** The same, handed out at another time. */
  NewTask visibleAt(Instant then) {
    return new NewTask(
        index,
        queue,
        name,
        key,
        priority,
        then,
        lease,
        attemptLimit,
        waitUntil,
        until,
        unique,
        debounced);
  }

  /** The same, of which there may be others with its key. */
  NewTask withoutUnique() {
    return new NewTask(
        index,
        queue,
        name,
        key,
        priority,
        visibleAt,
        lease,
        attemptLimit,
        waitUntil,
        until,
        null,
        debounced);
  }
}
