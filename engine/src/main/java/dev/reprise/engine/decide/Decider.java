package dev.reprise.engine.decide;

import dev.reprise.RetryPolicy;
import dev.reprise.engine.decide.Command.Cancel;
import dev.reprise.engine.decide.Command.CancelTimer;
import dev.reprise.engine.decide.Command.Complete;
import dev.reprise.engine.decide.Command.Fail;
import dev.reprise.engine.decide.Command.MarkPatch;
import dev.reprise.engine.decide.Command.Sleep;
import dev.reprise.engine.decide.Command.SleepUntil;
import dev.reprise.engine.decide.Input.CancelSent;
import dev.reprise.engine.decide.Input.Retrying;
import dev.reprise.engine.decide.Input.SignalSent;
import dev.reprise.engine.decide.Input.StepGivenUp;
import dev.reprise.engine.decide.Input.StepReturned;
import dev.reprise.engine.decide.Input.StepThrew;
import dev.reprise.engine.decide.Input.TimerDue;
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
          state.hasTaken(message)
              ? Optional.empty()
              : Optional.of(new Event.SignalReceived(signal, value, message));
      case CancelSent(var requester, var reason) ->
          state.cancelled() != null
              ? Optional.empty()
              : Optional.of(new Event.WorkflowCancelRequested(requester, reason));
      case StepGivenUp(var call, var failure) ->
          Optional.of(new Event.ActivityFailed(call, state.failedAttempts(call.id()), failure));
    };
  }

  private static Event threw(RunState state, StepThrew threw, Instant now) {
    int failed = state.failedAttempts(threw.call().id()) + 1;
    return nextAttempt(threw.retrying(), failed, now)
        .<Event>map(
            due -> new Event.ActivityRetryScheduled(threw.call(), failed, threw.failure(), due))
        .orElseGet(() -> new Event.ActivityFailed(threw.call(), failed, threw.failure()));
  }

  private static Optional<Instant> nextAttempt(Retrying retrying, int failed, Instant now) {
    if (retrying.terminal()) return Optional.empty();
    RetryPolicy policy = retrying.policy();
    return policy
        .delayAfter(failed, retrying.luck())
        .map(delay -> after(now, delay))
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
