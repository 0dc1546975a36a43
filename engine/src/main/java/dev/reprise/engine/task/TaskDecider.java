package dev.reprise.engine.task;

import dev.reprise.AttemptLost;
import dev.reprise.FailureInfo;
import dev.reprise.RetryPolicy;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.decide.Input.Retrying;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ActivityScheduled;
import dev.reprise.engine.store.Report.Change;
import dev.reprise.engine.store.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a task. Like {@link Decider} it reads no clock and throws no dice: same
 * task, same time, same answer.
 */
public final class TaskDecider {
  /** After a mistake of the code; people need longer than that to mend it. */
  private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);

  private static final int MOST_DOUBLINGS = 6; // then about once an hour

  private TaskDecider() {}

  /** What becomes of a task, and the event that its run is told; null if it is told nothing. */
  public record Verdict(Change change, @Nullable Event event) {}

  /**
   * An attempt that has ended.
   *
   * @param activity what was asked for
   * @param askedAt when
   * @param attempt the how manieth
   * @param until when all attempts must have ended, or null
   * @param policy what counts for retries
   * @param cancelled whether nobody wants it any more
   */
  public record Made(
      ActivityScheduled activity,
      Instant askedAt,
      int attempt,
      @Nullable Instant until,
      RetryPolicy policy,
      boolean cancelled) {}

  /**
   * What becomes of a task after an attempt.
   *
   * @param luck a random number from 0 to 1, for the jitter of retries
   */
  public static Verdict ended(Made made, Ending ending, Instant now, double luck) {
    return switch (ending) {
      case Ending.Returned(var result) ->
          finish(new Event.ActivityCompleted(made.activity().call(), made.attempt(), result));
      case Ending.Threw threw -> failed(made, threw, now, luck);
      case Ending.Mistaken(var mistake) -> mistaken(made, mistake, now);
      case Ending.LeftOpen _ -> new Verdict(new Change.LeaveOpen(), null);
      case Ending.GivenBack _ -> new Verdict(new Change.GiveBack(now), null);
    };
  }

  private static Verdict finish(Event event) {
    return new Verdict(new Change.Finish(), event);
  }

  private static Verdict failed(Made made, Ending.Threw threw, Instant now, double luck) {
    var call = made.activity().call();
    if (made.cancelled()) return finish(new Event.ActivityCancelled(call, made.attempt()));
    var retrying =
        new Retrying(made.policy(), made.askedAt(), threw.terminal(), false, threw.after(), luck);
    var next =
        Decider.nextAttempt(retrying, made.attempt(), now)
            .filter(due -> made.until() == null || due.isBefore(made.until()));
    if (next.isEmpty()) {
      return finish(new Event.ActivityFailed(call, made.attempt(), threw.failure()));
    }
    return new Verdict(
        new Change.Again(next.get()),
        new Event.ActivityRetryScheduled(call, made.attempt(), threw.failure(), next.get()));
  }

  /**
   * A mistake of the code is no outcome: the activity waits until it is mended. It is tried again,
   * more and more rarely, because each attempt may have its effects once more.
   */
  private static Verdict mistaken(Made made, FailureInfo mistake, Instant now) {
    var call = made.activity().call();
    if (made.cancelled()) return finish(new Event.ActivityCancelled(call, made.attempt()));
    int doublings = Math.min(made.attempt() - 1, MOST_DOUBLINGS);
    var due = Decider.after(now, FIRST_PAUSE.multipliedBy(1L << doublings));
    if (made.until() != null && !due.isBefore(made.until())) {
      return finish(new Event.ActivityFailed(call, made.attempt(), mistake));
    }
    return new Verdict(
        new Change.Again(due),
        new Event.ActivityRetryScheduled(call, made.attempt(), mistake, due));
  }

  /**
   * What becomes of a task of which nothing was heard in time; empty if that is not so.
   *
   * @param activity what was asked for
   */
  public static Optional<Verdict> overdue(
      TaskView task, ActivityScheduled activity, RetryPolicy policy, Instant now, double luck) {
    var what = task.task();
    boolean waits = task.state() == TaskView.State.READY || task.state() == TaskView.State.DELAYED;
    if (task.cancelled() && task.state() != TaskView.State.LEASED) {
      return Optional.of(finish(new Event.ActivityCancelled(activity.call(), task.attempt())));
    }
    if (isOver(what.until(), now)) {
      return Optional.of(gaveUp(task, activity, total(activity, task)));
    }
    if (waits) {
      return task.attempt() == 0 && isOver(what.waitUntil(), now)
          ? Optional.of(gaveUp(task, activity, unserved(activity)))
          : Optional.empty();
    }
    return lostAttempt(task, now)
        .map(
            failure -> {
              var made =
                  new Made(
                      activity,
                      task.scheduledAt(),
                      task.attempt(),
                      what.until(),
                      policy,
                      task.cancelled());
              var after = isOver(task.deadline(), now) ? null : Duration.ZERO;
              return failed(made, new Ending.Threw(failure, false, after), now, luck);
            });
  }

  private static boolean isOver(@Nullable Instant limit, Instant now) {
    return limit != null && !limit.isAfter(now);
  }

  private static Verdict gaveUp(TaskView task, ActivityScheduled activity, FailureInfo failure) {
    return finish(new Event.ActivityFailed(activity.call(), task.attempt(), failure));
  }

  /** What the attempt under way has failed with, if it has. */
  private static Optional<FailureInfo> lostAttempt(TaskView task, Instant now) {
    if (isOver(task.deadline(), now)) {
      return Optional.of(tooLong(task.attempt(), task.task().attemptLimit()));
    }
    if (!isOver(task.leaseUntil(), now)) return Optional.empty();
    var text =
        "nothing was heard of attempt %d by worker %s for %s: it died, was cut off, or takes longer"
                .formatted(task.attempt(), task.worker(), task.lease())
            + " than that without a heartbeat";
    return Optional.of(new FailureInfo(AttemptLost.class.getName(), text, null, null, null));
  }

  /** What an attempt fails with whose time is over. */
  static FailureInfo tooLong(int attempt, @Nullable Duration limit) {
    return timeout("attempt %d did not end within %s", attempt, limit);
  }

  private static FailureInfo unserved(ActivityScheduled activity) {
    return timeout(
        "no worker of queue '%s' took it within %s",
        activity.queueing().queue(), activity.queueing().patience());
  }

  private static FailureInfo total(ActivityScheduled activity, TaskView task) {
    return timeout(
        "it did not end within %s in all, %d attempts included",
        activity.queueing().total(), task.attempt());
  }

  private static FailureInfo timeout(String text, @Nullable Object... values) {
    var type = TimeoutException.class.getName();
    return new FailureInfo(type, text.formatted(values), null, null, null);
  }
}
