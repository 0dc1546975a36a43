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
import dev.reprise.engine.event.Event.WorkflowCancelRequested;
import dev.reprise.engine.event.Event.WorkflowCancelled;
import dev.reprise.engine.event.Event.WorkflowCompleted;
import dev.reprise.engine.event.Event.WorkflowFailed;
import dev.reprise.engine.event.Event.WorkflowStarted;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a history adds up to. Immutable: the state after an event is a new one.
 *
 * @param size how many events there are
 * @param now when the last one was recorded
 * @param status open, or how it was closed
 * @param timers sleeps that have neither fired nor been cancelled, with when they are due
 * @param retries activities between two attempts
 * @param messages ids of inputs that it has taken in, of those that have one, and where
 * @param cancelled why somebody wants it to end, or null
 */
public record RunState(
    int size,
    Instant now,
    Status status,
    PersistentMap<Instant> timers,
    PersistentMap<Retry> retries,
    PersistentMap<Integer> messages,
    @Nullable String cancelled) {

  private static final RunState EMPTY =
      new RunState(
          0,
          Instant.EPOCH,
          Status.RUNNING,
          PersistentMap.empty(),
          PersistentMap.empty(),
          PersistentMap.empty(),
          null);

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

  /** Whether an input with this id is in the history. */
  public boolean hasTaken(@Nullable String message) {
    return message != null && messages.contains(message);
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
    var next =
        new RunState(recorded.index(), recorded.at(), status, timers, retries, messages, cancelled);
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
      case WorkflowCancelled _ -> next.closed(Status.CANCELLED);
      case WorkflowCancelRequested(_, var reason) -> next.cancelled(reason);
      case SignalReceived signal -> next.taken(signal.message());
      case WorkflowStarted _, WaitTimedOut _, PatchMarked _ -> next;
    };
  }

  private RunState withTimers(PersistentMap<Instant> changed) {
    return new RunState(size, now, status, changed, retries, messages, cancelled);
  }

  private RunState withRetries(PersistentMap<Retry> changed) {
    return new RunState(size, now, status, timers, changed, messages, cancelled);
  }

  private RunState withRetry(String id, Retry retry) {
    return withRetries(retries.put(id, retry));
  }

  private RunState withoutRetry(String id) {
    return retries.isEmpty() ? this : withRetries(retries.remove(id));
  }

  private RunState taken(@Nullable String message) {
    if (message == null) return this;
    var taken = messages.put(message, size);
    return new RunState(size, now, status, timers, retries, taken, cancelled);
  }

  private RunState cancelled(String reason) {
    return new RunState(size, now, status, timers, retries, messages, reason);
  }

  private RunState closed(Status as) {
    return new RunState(size, now, as, timers, retries, messages, cancelled);
  }
}
