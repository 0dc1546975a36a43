package dev.reprise.engine.task;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventBytes;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.TaskRef;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Verdicts as stores take them. */
public final class Reports {
  private Reports() {}

  /** From whom the task was handed out to. */
  static Report of(Handout task, TaskDecider.Verdict verdict, Instant now) {
    var input = input(task.ref(), task.runId(), task.attempt(), verdict.event(), now);
    return new Report(task.ref(), task.attempt(), task.hand(), null, verdict.change(), input, null);
  }

  /** From who completes it from outside, and knows the attempt only. */
  public static Report fromOutside(
      TaskRef ref, UUID run, int attempt, TaskDecider.Verdict verdict, Instant now) {
    var input = input(ref, run, attempt, verdict.event(), now);
    return new Report(ref, attempt, null, null, verdict.change(), input, null);
  }

  /** From somebody who has no hold of it. */
  static Report overdue(
      TaskRef ref, UUID run, int attempt, TaskDecider.Verdict verdict, Instant now) {
    var input = input(ref, run, attempt, verdict.event(), now);
    return new Report(ref, attempt, null, now, verdict.change(), input, null);
  }

  private static @Nullable InputRow input(
      TaskRef ref, UUID run, int attempt, @Nullable Event event, Instant now) {
    if (event == null) return null;
    var message = message(ref, attempt, event);
    var value = EventBytes.write(event);
    return new InputRow(0, ref.run(), InputRow.Kind.ACTIVITY, run.toString(), message, value, now);
  }

  /**
   * An inbox takes a message once. What a run was told may wait in the inbox of the next one, and
   * an activity may end between two attempts while what was said of the last one waits there.
   */
  private static String message(TaskRef ref, int attempt, Event event) {
    var again = event instanceof Event.ActivityRetryScheduled ? "/again" : "";
    return "task/%d/%d/%d%s".formatted(ref.run(), ref.index(), attempt, again);
  }
}
