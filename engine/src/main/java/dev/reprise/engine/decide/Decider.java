package dev.reprise.engine.decide;

import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import dev.reprise.engine.decide.Command.AnswerUpdate;
import dev.reprise.engine.decide.Command.Cancel;
import dev.reprise.engine.decide.Command.CancelActivity;
import dev.reprise.engine.decide.Command.CancelTimer;
import dev.reprise.engine.decide.Command.Complete;
import dev.reprise.engine.decide.Command.ContinueAsNew;
import dev.reprise.engine.decide.Command.Fail;
import dev.reprise.engine.decide.Command.FailUpdate;
import dev.reprise.engine.decide.Command.MarkPatch;
import dev.reprise.engine.decide.Command.Publish;
import dev.reprise.engine.decide.Command.Remember;
import dev.reprise.engine.decide.Command.Schedule;
import dev.reprise.engine.decide.Command.Send;
import dev.reprise.engine.decide.Command.SetAttribute;
import dev.reprise.engine.decide.Command.Sleep;
import dev.reprise.engine.decide.Command.SleepUntil;
import dev.reprise.engine.decide.Command.StartChild;
import dev.reprise.engine.decide.Command.Terminate;
import dev.reprise.engine.decide.Command.TimeOut;
import dev.reprise.engine.decide.Command.Undo;
import dev.reprise.engine.decide.Input.CancelSent;
import dev.reprise.engine.decide.Input.ChildEnded;
import dev.reprise.engine.decide.Input.Retrying;
import dev.reprise.engine.decide.Input.SignalSent;
import dev.reprise.engine.decide.Input.StepGivenUp;
import dev.reprise.engine.decide.Input.StepReturned;
import dev.reprise.engine.decide.Input.StepThrew;
import dev.reprise.engine.decide.Input.TaskReported;
import dev.reprise.engine.decide.Input.TerminateSent;
import dev.reprise.engine.decide.Input.TimeLimit;
import dev.reprise.engine.decide.Input.TimerDue;
import dev.reprise.engine.decide.Input.UndoReturned;
import dev.reprise.engine.decide.Input.UndoThrew;
import dev.reprise.engine.decide.Input.UpdateSent;
import dev.reprise.engine.decide.Input.UpdateUnwanted;
import dev.reprise.engine.decide.Input.WaitDue;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.RunState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Decides what a command or an input means for a run: at most one event. Same state, same message,
 * same time: same answer.
 */
public final class Decider {
  private static final Instant FOREVER = Instant.parse("9999-12-31T23:59:59Z");

  private Decider() {}

  /** The event that records a command at that time. */
  public static Event decide(Command command, Instant now) {
    return switch (command) {
      case Sleep(var id, var duration) -> new Event.TimerScheduled(id, after(now, duration));
      case SleepUntil(var id, var due) -> new Event.TimerScheduled(id, roundedUp(due));
      case CancelTimer(var id) -> new Event.TimerCancelled(id);
      case MarkPatch(var change) -> new Event.PatchMarked(change);
      case Complete(var result) -> new Event.WorkflowCompleted(result);
      case Fail(var failure) -> new Event.WorkflowFailed(failure);
      case Cancel(var reason) -> new Event.WorkflowCancelled(reason);
      case TimeOut(var reason) -> new Event.WorkflowTimedOut(reason);
      case Terminate(var requester, var reason) -> new Event.WorkflowTerminated(requester, reason);
      case ContinueAsNew(var next) -> new Event.WorkflowContinuedAsNew(next);
      case Undo(var status, var requester, var reason, var failure) ->
          new Event.CompensationsStarted(status, requester, reason, failure);
      case Remember(var call, var arguments, var lengths, var retry, var timeout) ->
          new Event.CompensationRegistered(call, arguments, lengths, retry, timeout);
      case StartChild(var id, var workflow, var workflowId, var close, var timeout, var input) ->
          new Event.ChildStarted(id, workflow, workflowId, close, timeout, input);
      case Send(var id, var workflowId, var kind, var name, var value) ->
          new Event.MessageSent(id, workflowId, kind, name, value);
      case Schedule(var call, var queueing, var arguments, var lengths, var result, var secret) ->
          new Event.ActivityScheduled(call, queueing, arguments, lengths, result, secret);
      case CancelActivity(var id) -> new Event.ActivityCancelRequested(id);
      case Publish(var key, var value) -> new Event.ValuePublished(key, value);
      case SetAttribute(var name, var value) -> new Event.AttributeChanged(name, value);
      case AnswerUpdate(var message, var result, var update) ->
          new Event.UpdateCompleted(message, result, update);
      case FailUpdate(var message, var failure, var update) ->
          new Event.UpdateFailed(message, failure, update);
    };
  }

  /** The event that an input causes, if it still means something. */
  public static Optional<Event> decide(RunState state, Input input, Instant now) {
    if (state.isClosed()) return Optional.empty();
    return switch (input) {
      case StepReturned(var call, var result) ->
          Optional.of(
              new Event.ActivityCompleted(call, state.failedAttempts(call.id()) + 1, result));
      case StepThrew threw -> Optional.of(threw(state, threw, now));
      case TimerDue(var id) -> timerDue(state, id, now);
      case WaitDue(var id, var due) ->
          now.isBefore(due) ? Optional.empty() : Optional.of(new Event.WaitTimedOut(id, due));
      case SignalSent(var signal, var value, var message) ->
          state.hasTakenSignal(signal, message)
              ? Optional.empty()
              : Optional.of(new Event.SignalReceived(signal, value, message));
      case CancelSent(var requester, var reason) ->
          maybe(mayBeCancelled(state), new Event.WorkflowCancelRequested(requester, reason));
      case TimeLimit(var due) ->
          maybe(mayBeCancelled(state) && !now.isBefore(due), new Event.TimeLimitReached(due));
      case StepGivenUp(var call) ->
          Optional.of(new Event.ActivityCancelled(call, state.failedAttempts(call.id())));
      case UndoReturned(var call) ->
          Optional.of(new Event.CompensationCompleted(call, state.failedAttempts(call.id()) + 1));
      case UndoThrew threw -> Optional.of(threw(state, threw, now));
      case TerminateSent(var requester, var reason, var undo) ->
          terminate(state, requester, reason, undo);
      case TaskReported(var id, var event) ->
          maybe(state.life().tasks().contains(id) && isNews(state, id, event), event);
      case ChildEnded(var id, var outcome) -> maybe(state.life().children().contains(id), outcome);
      case UpdateSent(var update, var message, var value) ->
          maybe(
              !state.hasTakenUpdate(update, message),
              new Event.UpdateReceived(update, message, value));
      case UpdateUnwanted(var update, var message, var code, var reason) ->
          maybe(
              !state.hasTakenUpdate(update, message),
              new Event.UpdateRefused(update, message, code, reason));
    };
  }

  /** A retry that comes after a later one tells nothing. */
  private static boolean isNews(RunState state, String id, Event event) {
    return !(event instanceof Event.ActivityRetryScheduled retry)
        || retry.attempt() > state.failedAttempts(id);
  }

  private static Optional<Event> maybe(boolean wanted, Event event) {
    return wanted ? Optional.of(event) : Optional.empty();
  }

  /** Once only, and not when the code has ended: undoing is never given up half-way. */
  private static boolean mayBeCancelled(RunState state) {
    return state.cancelled() == null && state.status() == Status.RUNNING;
  }

  /** Undoing that is under way goes on, unless the run is to end at once. */
  private static Optional<Event> terminate(
      RunState state, String requester, String reason, boolean undo) {
    if (!undo || state.life().undo().isEmpty()) {
      return Optional.of(new Event.WorkflowTerminated(requester, reason));
    }
    return maybe(
        state.status() == Status.RUNNING,
        new Event.CompensationsStarted(Status.TERMINATED, requester, reason, null));
  }

  private static Event threw(RunState state, UndoThrew threw, Instant now) {
    int failed = state.failedAttempts(threw.call().id()) + 1;
    return nextAttempt(threw.retrying(), failed, now)
        .<Event>map(
            due -> new Event.ActivityRetryScheduled(threw.call(), failed, threw.failure(), due))
        .orElseGet(() -> new Event.CompensationFailed(threw.call(), failed, threw.failure()));
  }

  private static Event threw(RunState state, StepThrew threw, Instant now) {
    int failed = state.failedAttempts(threw.call().id()) + 1;
    if (threw.retrying().unwanted()) return new Event.ActivityCancelled(threw.call(), failed);
    return nextAttempt(threw.retrying(), failed, now)
        .<Event>map(
            due -> new Event.ActivityRetryScheduled(threw.call(), failed, threw.failure(), due))
        .orElseGet(() -> new Event.ActivityFailed(threw.call(), failed, threw.failure()));
  }

  /**
   * When the next attempt may begin, after that many have failed; empty if there is none.
   *
   * @param now when the last one failed
   */
  public static Optional<Instant> nextAttempt(Retrying retrying, int failed, Instant now) {
    if (retrying.terminal()) return Optional.empty();
    RetryPolicy policy = retrying.policy();
    return policy
        .delayAfter(failed, retrying.luck())
        .map(delay -> after(now, retrying.after() == null ? delay : retrying.after()))
        .filter(due -> inTime(policy, retrying.askedAt(), due));
  }

  private static boolean inTime(RetryPolicy policy, Instant askedAt, Instant due) {
    return policy.maxDuration() == null || !due.isAfter(after(askedAt, policy.maxDuration()));
  }

  private static Optional<Event> timerDue(RunState state, String id, Instant now) {
    var due = state.timers().get(id);
    if (due == null || now.isBefore(due)) return Optional.empty();
    return Optional.of(new Event.TimerFired(id));
  }

  /**
   * That much later, rounded up to the microsecond that databases keep, so that nothing is ever due
   * early; not later than a date that every database can store.
   */
  public static Instant after(Instant from, Duration duration) {
    if (duration.compareTo(Duration.between(from, FOREVER)) >= 0) return FOREVER;
    return roundedUp(from.plus(duration));
  }

  /** That time, rounded up to the microsecond; not later than every database can store. */
  public static Instant roundedUp(Instant time) {
    if (!time.isBefore(FOREVER)) return FOREVER;
    var micros = time.truncatedTo(ChronoUnit.MICROS);
    return micros.equals(time) ? time : micros.plus(1, ChronoUnit.MICROS);
  }
}
