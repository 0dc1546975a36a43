package dev.reprise.engine.replay;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.CompensationRegistered;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Undoes what a run has remembered, the last first. The workflow's code is not needed for that:
 * what to call is in the history, and so is what was undone already.
 */
final class Undoing {
  private final LiveRun run;
  private final RunSettings settings;

  Undoing(LiveRun run, RunSettings settings) {
    this.run = run;
    this.settings = settings;
  }

  /** Plays on a fiber of the run. */
  void play() {
    try {
      for (var undo : run.stage().state().life().toUndo()) undo(undo);
      conclude(run.stage().state().life().failures()); // also those of before a crash
    } catch (Unwind _) {
      // the run has left memory
    } catch (RuntimeException | Error mistake) {
      run.block(mistake);
    }
  }

  private void conclude(List<Event.CompensationFailed> failed) {
    if (failed.isEmpty()) {
      var how = Objects.requireNonNull(run.stage().state().life().undoing());
      run.ended(Conclusion.after(how), "has undone everything");
      return;
    }
    var first = failed.getFirst();
    throw new RepriseException(
        ErrorCode.R132,
        "workflow '%s' is not undone, %s: %s after %s with %s. The others were"
                .formatted(
                    run.row().workflowId(),
                    counted(failed.size(), "compensation") + " failed",
                    first.call().id(),
                    counted(first.attempts(), "attempt"),
                    first.failure())
            + " run. Repair the cause, then resume '%s'".formatted(run.row().workflowId()));
  }

  private static String counted(int number, String what) {
    return "%d %s%s".formatted(number, what, number == 1 ? "" : "s");
  }

  private void undo(CompensationRegistered undo) {
    var stage = run.stage();
    var fiber = stage.cast().enterAnyway();
    var retry = undo.retry() == null ? settings.retry() : undo.retry();
    var timeout = undo.timeout() == null ? settings.activityTimeout() : undo.timeout();
    var step =
        new Step(undo.call(), body(undo), void.class, retry, timeout, stage.state().now(), true);
    var wait = Wait.forStep(fiber, step, null);
    var pending = stage.state().retries().get(undo.call().id());
    if (pending != null) wait.due = pending.due();
    stage.waits().register(wait);
    run.await(fiber, wait);
  }

  /** What is missing fails this one only: the others are undone all the same. */
  private Callable<@Nullable Object> body(CompensationRegistered undo) {
    return () -> {
      var activity = settings.activities().named(undo.call().name());
      var packed = new Arguments(undo.arguments(), undo.lengths());
      var id = undo.call().id();
      var arguments = packed.unpack(settings.values(), id, activity.parameters());
      Callable<@Nullable Object> body = () -> activity.body().call(arguments);
      var interceptor = settings.interceptor();
      if (interceptor == null) return body.call();
      var given = Arrays.asList(arguments);
      return interceptor.intercept(
          new ActivityCall(run.row().workflowId(), id, activity.name(), void.class, given, body));
    };
  }
}
