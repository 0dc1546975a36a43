package dev.reprise.engine.event;

import dev.reprise.Status;
import dev.reprise.engine.event.Event.ActivityCancelRequested;
import dev.reprise.engine.event.Event.ActivityCancelled;
import dev.reprise.engine.event.Event.ActivityCompleted;
import dev.reprise.engine.event.Event.ActivityFailed;
import dev.reprise.engine.event.Event.ActivityRetryScheduled;
import dev.reprise.engine.event.Event.ActivityScheduled;
import dev.reprise.engine.event.Event.AttributeChanged;
import dev.reprise.engine.event.Event.ChildCompleted;
import dev.reprise.engine.event.Event.ChildFailed;
import dev.reprise.engine.event.Event.ChildStarted;
import dev.reprise.engine.event.Event.CompensationCompleted;
import dev.reprise.engine.event.Event.CompensationFailed;
import dev.reprise.engine.event.Event.CompensationRegistered;
import dev.reprise.engine.event.Event.CompensationsStarted;
import dev.reprise.engine.event.Event.LoopSnapshot;
import dev.reprise.engine.event.Event.MessageSent;
import dev.reprise.engine.event.Event.PatchMarked;
import dev.reprise.engine.event.Event.SignalReceived;
import dev.reprise.engine.event.Event.TimeLimitReached;
import dev.reprise.engine.event.Event.TimerCancelled;
import dev.reprise.engine.event.Event.TimerFired;
import dev.reprise.engine.event.Event.TimerScheduled;
import dev.reprise.engine.event.Event.UpdateCompleted;
import dev.reprise.engine.event.Event.UpdateFailed;
import dev.reprise.engine.event.Event.UpdateReceived;
import dev.reprise.engine.event.Event.UpdateRefused;
import dev.reprise.engine.event.Event.ValuePublished;
import dev.reprise.engine.event.Event.WaitTimedOut;
import dev.reprise.engine.event.Event.WorkflowCancelRequested;
import dev.reprise.engine.event.Event.WorkflowCancelled;
import dev.reprise.engine.event.Event.WorkflowCompleted;
import dev.reprise.engine.event.Event.WorkflowContinuedAsNew;
import dev.reprise.engine.event.Event.WorkflowFailed;
import dev.reprise.engine.event.Event.WorkflowResumed;
import dev.reprise.engine.event.Event.WorkflowStarted;
import dev.reprise.engine.event.Event.WorkflowTakenUp;
import dev.reprise.engine.event.Event.WorkflowTerminated;
import dev.reprise.engine.event.Event.WorkflowTimedOut;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a history adds up to. Immutable: the state after an event is a new one.
 *
 * @param size how many events there are
 * @param now when the last one was recorded
 * @param status open, or how it was closed
 * @param timers sleeps that have neither fired nor been cancelled, with when they are due
 * @param retries activities between two attempts
 * @param messages texts of the {@link MessageKey}s of inputs that it has taken in, of those that
 *     have one, and where
 * @param cancelled why it should end, or null
 * @param life what few events change
 */
public record RunState(
    int size,
    Instant now,
    Status status,
    PersistentMap<Instant> timers,
    PersistentMap<Retry> retries,
    PersistentMap<Integer> messages,
    @Nullable Cancellation cancelled,
    Life life) {

  private static final RunState EMPTY =
      new RunState(
          0,
          Instant.EPOCH,
          Status.RUNNING,
          PersistentMap.empty(),
          PersistentMap.empty(),
          PersistentMap.empty(),
          null,
          Life.EMPTY);

  /**
   * An activity between two attempts.
   *
   * @param failed how many attempts have failed
   * @param due when the next may begin
   */
  public record Retry(int failed, Instant due) {}

  /**
   * Why a run should end.
   *
   * @param isTimeout whether its time is over; else somebody wants it
   */
  public record Cancellation(String reason, boolean isTimeout) {}

  /** Before the first event. */
  public static RunState empty() {
    return EMPTY;
  }

  public boolean isClosed() {
    return status.isClosed();
  }

  /** Whether a signal of this name and id is in the history. One without an id never is. */
  public boolean hasTakenSignal(String signal, @Nullable String message) {
    return message != null && hasTaken(MessageKey.signal(signal, message));
  }

  /** Whether an update of this name and id is in the history. */
  public boolean hasTakenUpdate(String update, String message) {
    return hasTaken(MessageKey.update(update, message));
  }

  private boolean hasTaken(MessageKey key) {
    return !messages.isEmpty()
        && (messages.contains(key.text())
            || messages.contains(MessageKey.any(key.message()).text()));
  }

  /** Whether updates of other names have the same id: then the id alone does not name this one. */
  public boolean sharesId(String update, String message) {
    var own = MessageKey.update(update, message);
    var prefix = own.prefix();
    var key = messages.firstFrom(prefix);
    if (own.text().equals(key)) key = messages.firstFrom(key + Character.MIN_VALUE);
    return key != null && key.startsWith(prefix);
  }

  /** The inputs that came last, the latest first: a sender repeats what it sent lately. */
  public List<MessageKey> latestMessages(int limit) {
    record Taken(String key, int index) {}
    var all = new ArrayList<Taken>();
    messages.forEach((key, index) -> all.add(new Taken(key, index)));
    return all.stream()
        .sorted(Comparator.comparingInt(Taken::index).reversed())
        .limit(limit)
        .map(taken -> MessageKey.of(taken.key()))
        .toList();
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
        new RunState(
            recorded.index(), recorded.at(), status, timers, retries, messages, cancelled, life);
    return switch (recorded.event()) {
      case WorkflowStarted started -> next.started(started.origin());
      case ActivityCompleted done -> next.ended(done.call().id());
      case ActivityFailed failed -> next.ended(failed.call().id());
      case ActivityCancelled cancelled -> next.ended(cancelled.call().id());
      case ActivityScheduled activity -> next.with(life.scheduled(recorded.index(), activity));
      case ActivityCancelRequested(var id) -> next.with(life.unwanted(id));
      case ActivityRetryScheduled retry ->
          next.withRetry(retry.call().id(), new Retry(retry.attempt(), retry.due()));
      case TimerScheduled(var id, var due) -> next.withTimers(timers.put(id, due));
      case TimerFired(var id) -> next.withTimers(timers.remove(id));
      case TimerCancelled(var id) -> next.withTimers(timers.remove(id));
      case WorkflowCompleted _ -> next.closed(Status.COMPLETED);
      case WorkflowFailed _ -> next.closed(Status.FAILED);
      case WorkflowCancelled _ -> next.closed(Status.CANCELLED);
      case WorkflowTimedOut _ -> next.closed(Status.TIMED_OUT);
      case WorkflowTerminated _ -> next.closed(Status.TERMINATED);
      case WorkflowContinuedAsNew _ -> next.closed(Status.CONTINUED);
      case WorkflowCancelRequested(_, var reason) ->
          next.cancelled(new Cancellation(reason, false));
      case TimeLimitReached(var due) ->
          next.cancelled(new Cancellation("its time was over at " + due, true));
      case SignalReceived(_, _, var message) when message == null -> next;
      case SignalReceived(var signal, _, var message) ->
          next.taken(MessageKey.signal(signal, message));
      case UpdateReceived(var update, var message, _) ->
          next.taken(MessageKey.update(update, message));
      case UpdateRefused(var update, var message, _, _) ->
          next.taken(MessageKey.update(update, message));
      case CompensationRegistered undo -> next.with(life.remembered(recorded.index(), undo));
      case CompensationsStarted how -> next.closed(Status.COMPENSATING).with(life.undoes(how));
      case CompensationCompleted done ->
          next.withoutRetry(done.call().id()).with(life.undone(done.call().id()));
      case CompensationFailed failed ->
          next.withoutRetry(failed.call().id()).with(life.notUndone(failed));
      case ChildStarted child -> next.with(life.withChild(recorded.index(), child));
      case ChildCompleted(var id, _) -> next.with(life.withoutChild(id));
      case ChildFailed(var id, _, _) -> next.with(life.withoutChild(id));
      case ValuePublished(var key, var value) -> next.with(life.published(key, value));
      case AttributeChanged(var name, var value) -> next.with(life.attribute(name, value));
      case PatchMarked(var change) -> next.with(life.patched(change));
      case WorkflowResumed(_, var hash) -> next.with(life.resumedWith(hash));
      case WorkflowTakenUp(var hash) -> next.with(life.takenUpBy(hash));
      case WaitTimedOut _, MessageSent _, UpdateCompleted _, UpdateFailed _, LoopSnapshot _ -> next;
    };
  }

  private RunState started(Origin origin) {
    var lineage = origin.lineage();
    var taken = messages;
    if (lineage != null) for (var key : lineage.taken()) taken = taken.put(key.text(), size);
    return new RunState(size, now, status, timers, retries, taken, cancelled, life.started(origin));
  }

  private RunState with(Life changed) {
    return new RunState(size, now, status, timers, retries, messages, cancelled, changed);
  }

  private RunState withTimers(PersistentMap<Instant> changed) {
    return new RunState(size, now, status, changed, retries, messages, cancelled, life);
  }

  private RunState withRetries(PersistentMap<Retry> changed) {
    return new RunState(size, now, status, timers, changed, messages, cancelled, life);
  }

  private RunState withRetry(String id, Retry retry) {
    return withRetries(retries.put(id, retry));
  }

  private RunState withoutRetry(String id) {
    return retries.isEmpty() ? this : withRetries(retries.remove(id));
  }

  /** An activity has ended, wherever it ran. */
  private RunState ended(String id) {
    var next = withoutRetry(id);
    return life.tasks().isEmpty() ? next : next.with(life.withoutTask(id));
  }

  private RunState taken(MessageKey key) {
    var taken = messages.put(key.text(), size);
    return new RunState(size, now, status, timers, retries, taken, cancelled, life);
  }

  private RunState cancelled(Cancellation why) {
    return new RunState(size, now, status, timers, retries, messages, why, life);
  }

  private RunState closed(Status as) {
    return new RunState(size, now, as, timers, retries, messages, cancelled, life);
  }
}
