package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.Status;
import dev.reprise.Texts;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.RateLimit;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.replay.RunPort.End;
import dev.reprise.engine.store.RunRow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Says in the log what went wrong in runs: a run failed or is held, an activity failed for good or
 * is retried. Each is said by the node that has the run, when it happens and not when the code
 * follows its history. Values of users are not in the log, but for the messages of their
 * exceptions.
 */
final class RunLog {
  private static final Logger LOG = LoggerFactory.getLogger(RunLog.class);
  private static final Duration BETWEEN_RETRIES = Duration.ofSeconds(10); // of one activity
  private static final int ACTIVITIES = 1_000; // names; more of them share nothing
  private static final int MAX_MESSAGE = 500; // a message may hold a whole document

  private final Machine machine;
  private final RateLimit retries = new RateLimit(BETWEEN_RETRIES, ACTIVITIES);

  RunLog(Machine machine) {
    this.machine = machine;
  }

  /** Something was recorded that people may want to know. */
  void noted(RunRow row, Event event) {
    switch (event) {
      case Event.ActivityFailed failed -> failed(row, failed);
      case Event.ActivityRetryScheduled retry -> retried(row, retry);
      case Event.CompensationsStarted undoing when undoing.failure() != null ->
          of(row, Level.WARN, undoing.failure())
              .log(
                  "workflow '{}' ({}) failed, what it did is being undone: {}",
                  id(row),
                  row.workflow(),
                  cause(undoing.failure()));
      default -> {}
    }
  }

  private void failed(RunRow row, Event.ActivityFailed failed) {
    of(row, Level.WARN, failed.failure())
        .addKeyValue("activity.id", Texts.shown(failed.call().id()))
        .log(
            "activity {} of workflow '{}' failed for good, {}: {}",
            Texts.shown(failed.call().id()),
            id(row),
            failed.attempts() == 1
                ? "after 1 attempt"
                : "after %d attempts".formatted(failed.attempts()),
            cause(failed.failure()));
  }

  private void retried(RunRow row, Event.ActivityRetryScheduled retry) {
    var omitted = retries.ask(retry.call().name(), machine.nanoTime());
    if (omitted.isEmpty()) return;
    of(row, Level.WARN, null)
        .addKeyValue("activity.id", Texts.shown(retry.call().id()))
        .log(
            "attempt {} of activity {} of workflow '{}' failed, the next one is due at {}: {}{}",
            retry.attempt(),
            Texts.shown(retry.call().id()),
            id(row),
            retry.due(),
            cause(retry.failure()),
            omitted.getAsInt() == 0
                ? ""
                : " (since the last such line %d more failed attempts of this activity)"
                    .formatted(omitted.getAsInt()));
  }

  /** A run has left memory, and that is durable. */
  void ended(LiveRun run, End end) {
    if (!(end instanceof End.Closed(var terminal))) return;
    var row = run.row();
    switch (terminal.event()) {
      case Event.WorkflowFailed _ when row.status() == Status.COMPENSATING ->
          of(row, Level.INFO, null).log("workflow '{}' failed, and is undone", id(row));
      case Event.WorkflowFailed(var failure) ->
          of(row, Level.WARN, failure)
              .log("workflow '{}' ({}) failed: {}", id(row), row.workflow(), cause(failure));
      case Event.WorkflowTimedOut(var reason) ->
          of(row, Level.WARN, null)
              .log("workflow '{}' ({}) timed out: {}", id(row), row.workflow(), shortened(reason));
      default -> {}
    }
  }

  /** A run is held: somebody has to mend something, and to resume it. */
  static void held(RunRow row, String reason, @Nullable Throwable thrown) {
    var quarantined = reason.startsWith(ErrorCode.R124.name());
    LOG.atError()
        .addKeyValue("workflow.id", id(row))
        .addKeyValue("run.id", row.runId())
        .setCause(thrown == null ? null : Texts.shown(thrown))
        .log(
            "workflow '{}' ({}) is {}: {}",
            id(row),
            row.workflow(),
            quarantined ? "quarantined" : "blocked",
            reason);
  }

  private static LoggingEventBuilder of(RunRow row, Level level, @Nullable FailureInfo failure) {
    return LOG.atLevel(level)
        .addKeyValue("workflow.id", id(row))
        .addKeyValue("run.id", row.runId())
        .setCause(failure == null ? null : Texts.shown(failure.toThrowable()));
  }

  private static String id(RunRow row) {
    return Texts.shown(row.workflowId());
  }

  private static String cause(FailureInfo failure) {
    return shortened(failure.toString());
  }

  private static String shortened(String text) {
    var shown = Texts.shown(text);
    return shown.length() <= MAX_MESSAGE ? shown : shown.substring(0, MAX_MESSAGE) + "…";
  }
}
