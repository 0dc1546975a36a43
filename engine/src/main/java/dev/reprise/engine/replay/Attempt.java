package dev.reprise.engine.replay;

import dev.reprise.ActivityContext;
import dev.reprise.FailureInfo;
import dev.reprise.RepriseException;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.event.Payload;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What came of one attempt of an inline activity. */
sealed interface Attempt {

  /**
   * It returned.
   *
   * @param payload what is recorded
   * @param value the result as a replay would give it
   */
  record Returned(Payload payload, @Nullable Object value) implements Attempt {}

  /**
   * It threw.
   *
   * @param failure what is recorded
   * @param terminal whether no other attempt can help
   * @param after how long to wait, as the activity said; or null
   */
  record Threw(FailureInfo failure, boolean terminal, @Nullable Duration after)
      implements Attempt {}

  /**
   * It ended in a mistake of the code, which is no outcome: nothing is recorded of it.
   *
   * @param mistake what to mend before the activity is called again
   */
  record Mistaken(RepriseException mistake) implements Attempt {}

  /** Calls the function. Runs without the baton: this is where real work is done. */
  static Attempt make(Step step, AttemptContext context, RunSettings settings, RunPort port) {
    Callable<? extends @Nullable Object> body =
        () -> ScopedValue.where(ActivityContext.CURRENT, context).call(step.body()::call);
    try {
      settings.values().check(step.type(), result(step)); // while nothing has happened
    } catch (RepriseException unfit) {
      return new Mistaken(unfit);
    }
    try {
      var limit = step.timeout();
      var result = limit == null ? body.call() : within(limit, step, body, settings, port);
      return recorded(step, settings.values(), result);
    } catch (Throwable thrown) {
      var misuse = Failures.misuse(thrown);
      if (misuse != null) return new Mistaken(misuse);
      return new Threw(
          Failures.of(thrown),
          Failures.isTerminal(thrown, step.retry()),
          Failures.retryAfter(thrown));
    } finally {
      Thread.interrupted(); // an activity's interrupt must not follow the workflow
    }
  }

  private static Attempt recorded(Step step, Values values, @Nullable Object result) {
    var what = result(step);
    try {
      var payload = values.encode(result, step.type(), what);
      return new Returned(payload, values.asReplayed(result, payload, step.type(), what));
    } catch (RepriseException unfit) {
      return new Mistaken(unfit);
    }
  }

  private static String result(Step step) {
    return "the result of " + step.call().id();
  }

  /** On a thread of its own, which may be left behind. */
  private static @Nullable Object within(
      Duration limit,
      Step step,
      Callable<? extends @Nullable Object> body,
      RunSettings settings,
      RunPort port)
      throws Throwable {
    var outcome = new CompletableFuture<@Nullable Object>();
    var thread =
        settings
            .machine()
            .fiber(
                step.call().id(),
                () -> {
                  try {
                    outcome.complete(body.call());
                  } catch (Throwable t) {
                    outcome.completeExceptionally(t);
                  }
                });
    var over = new TimeoutException("no result within " + limit);
    var timer =
        port.at(Decider.after(port.now(), limit), () -> outcome.completeExceptionally(over));
    thread.start(); // after the timer is set: what it does may be waiting for that
    try {
      return outcome.get();
    } catch (ExecutionException e) {
      throw e.getCause() == null ? e : e.getCause();
    } finally {
      timer.cancel();
      if (thread.isAlive()) thread.interrupt();
    }
  }
}
