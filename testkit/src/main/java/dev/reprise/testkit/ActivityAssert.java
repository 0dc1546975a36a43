package dev.reprise.testkit;

import dev.reprise.Handle;
import dev.reprise.engine.event.Event;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Assertions about how an activity of a run has ended; those about the run may follow. */
public final class ActivityAssert<O extends @Nullable Object> extends RunAssert<O> {
  private final String activity;
  private final List<Fact> outcomes;

  ActivityAssert(Handle<O> run, String activity, List<Fact> outcomes) {
    super(run);
    this.activity = activity;
    this.outcomes = outcomes;
  }

  /** It has ended once, after however many attempts. */
  public ActivityAssert<O> once() {
    return times(1);
  }

  /** It has ended so many times: calls of the workflow, not attempts. */
  public ActivityAssert<O> times(int calls) {
    if (outcomes.size() != calls) {
      throw unlike(
          "%s should have run %s, but ran %s"
              .formatted(activity, counted(calls), counted(outcomes.size())));
    }
    return this;
  }

  /** One of its calls took so many attempts. */
  public ActivityAssert<O> withAttempts(int attempts) {
    return some(
        "have taken %d attempts".formatted(attempts),
        event ->
            switch (event) {
              case Event.ActivityCompleted e -> e.attempts() == attempts;
              case Event.ActivityFailed e -> e.attempts() == attempts;
              default -> false;
            });
  }

  /** One of its calls gave this result. */
  public ActivityAssert<O> withResult(@Nullable Object result) {
    var wanted = payload(result, result == null ? Object.class : result.getClass());
    return some(
        "have given " + wanted,
        event -> event instanceof Event.ActivityCompleted e && e.result().equals(wanted));
  }

  /** One of its calls failed with that exception, or because of it. */
  public ActivityAssert<O> failing(Class<? extends Throwable> type) {
    return some(
        "have failed with a " + type.getName(),
        event ->
            event instanceof Event.ActivityFailed e && isIn(e.failure(), cause -> cause.is(type)));
  }

  private ActivityAssert<O> some(String what, Predicate<Event> wanted) {
    if (outcomes.stream().noneMatch(outcome -> wanted.test(outcome.event()))) {
      throw unlike("%s should %s, but did not".formatted(activity, what));
    }
    return this;
  }
}
