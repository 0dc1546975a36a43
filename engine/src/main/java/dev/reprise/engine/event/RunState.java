package dev.reprise.engine.event;

import dev.reprise.Status;
import dev.reprise.engine.event.Event.ActivityCompleted;
import dev.reprise.engine.event.Event.ActivityFailed;
import dev.reprise.engine.event.Event.ActivityRetryScheduled;
import dev.reprise.engine.event.Event.PatchMarked;
import dev.reprise.engine.event.Event.SignalReceived;
import dev.reprise.engine.event.Event.TimerCancelled;
import dev.reprise.engine.event.Event.TimerFired;
import dev.reprise.engine.event.Event.TimerScheduled;
import dev.reprise.engine.event.Event.WaitTimedOut;
import dev.reprise.engine.event.Event.WorkflowCompleted;
import dev.reprise.engine.event.Event.WorkflowFailed;
import dev.reprise.engine.event.Event.WorkflowStarted;
import java.time.Instant;

/**
 * What a history adds up to. Immutable: the state after an event is a new one.
 *
 * @param size how many events there are
 * @param now when the last one was recorded
 * @param status open, or how it was closed
 * @param timers sleeps that have neither fired nor been cancelled, with when they are due
 * @param retries activities between two attempts
 */
public record RunState(
    int size,
    Instant now,
    Status status,
    PersistentMap<Instant> timers,
    PersistentMap<Retry> retries) {

  private static final RunState EMPTY =
      new RunState(0, Instant.EPOCH, Status.RUNNING, PersistentMap.empty(), PersistentMap.empty());

  /**
   * An activity between two attempts.
   *
   * @param failed how many attempts have failed
   * @param due when the next may begin
   */
  public record Retry(int failed, Instant due) {}

  /** Before the first event. */
  public static RunState empty() {
    return EMPTY;
  }

  public boolean isClosed() {
    return status.isClosed();
  }

  /** How many attempts of an activity have failed so far. */
  public int failedAttempts(String id) {
    var retry = retries.get(id);
    return retry == null ? 0 : retry.failed();
  }

  /** The state after one more event. */
  public RunState apply(Recorded recorded) {
    if (recorded.index() != size + 1) {
      throw new IllegalStateException(
          "history has a gap: event #%d after #%d".formatted(recorded.index(), size));
    }
    var next = new RunState(recorded.index(), recorded.at(), status, timers, retries);
    return switch (recorded.event()) {
      case ActivityCompleted done -> next.withoutRetry(done.call().id());
      case ActivityFailed failed -> next.withoutRetry(failed.call().id());
      case ActivityRetryScheduled retry ->
          next.withRetry(retry.call().id(), new Retry(retry.attempt(), retry.due()));
      case TimerScheduled(var id, var due) -> next.withTimers(timers.put(id, due));
      case TimerFired(var id) -> next.withTimers(timers.remove(id));
      case TimerCancelled(var id) -> next.withTimers(timers.remove(id));
      case WorkflowCompleted _ -> next.closed(Status.COMPLETED);
      case WorkflowFailed _ -> next.closed(Status.FAILED);
      case WorkflowStarted _, SignalReceived _, WaitTimedOut _, PatchMarked _ -> next;
    };
  }

  private RunState withTimers(PersistentMap<Instant> changed) {
    return new RunState(size, now, status, changed, retries);
  }

  private RunState withRetry(String id, Retry retry) {
    return new RunState(size, now, status, timers, retries.put(id, retry));
  }

  private RunState withoutRetry(String id) {
    return retries.isEmpty() ? this : new RunState(size, now, status, timers, retries.remove(id));
  }

  private RunState closed(Status as) {
    return new RunState(size, now, as, timers, retries);
  }
}
