package dev.reprise.engine.store;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of a task, stored with what its run is told, or not at all.
 *
 * @param ref which
 * @param attempt counts only if this was the last one that was handed out
 * @param hand counts only if this call handed it out; null from somebody who has no hold of it, or
 *     who completes it from outside
 * @param overdue counts only if the task is due by then: from somebody who has no hold of it; null
 *     from whom it was handed out to, or who completes it from outside
 * @param change what becomes of it
 * @param input what its run is told, which is dropped if the run is closed; or null
 * @param heartbeat details that were not stored yet, or null
 */
public record Report(
    TaskRef ref,
    int attempt,
    @Nullable UUID hand,
    @Nullable Instant overdue,
    Change change,
    @Nullable InputRow input,
    byte @Nullable [] heartbeat) {

  /** From whom it was handed out to, who tells its run nothing. */
  public static Report of(Handout task, Change change) {
    return new Report(task.ref(), task.attempt(), task.hand(), null, change, null, null);
  }

  /** The same with details of a heartbeat. */
  public Report withHeartbeat(byte @Nullable [] details) {
    return new Report(ref, attempt, hand, overdue, change, input, details);
  }

  /** What becomes of a task. */
  public sealed interface Change {
    /** It is done, or given up. */
    record Finish() implements Change {}

    /** It is handed out again, not before then. */
    record Again(Instant visibleAt) implements Change {}

    /** The same, and the last attempt did not count. */
    record GiveBack(Instant visibleAt) implements Change {}

    /** No worker has it any more: it waits to be completed from outside. */
    record LeaveOpen() implements Change {}
  }

  /** What came of a report. */
  public enum Reply {
    /** It is durable. */
    ACCEPTED,
    /** It was given back or handed out again since, or is not due. */
    STALE,
    /** There is no such task any more, if there ever was. */
    GONE
  }
}
