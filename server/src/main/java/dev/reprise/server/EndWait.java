package dev.reprise.server;

import dev.reprise.RunDescription;
import dev.reprise.Status;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import dev.reprise.WorkflowTerminated;
import dev.reprise.WorkflowTimedOut;
import dev.reprise.engine.Engine;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/** Waits for the end of a workflow, and says meanwhile how it is. */
final class EndWait {
  /** It ended, and has no result. */
  static final int NO_RESULT = 3;

  /** It has not ended. */
  static final int NO_END = 4;

  private final Engine client;
  private final Reading reading;

  EndWait(Engine client, Reading reading) {
    this.client = client;
    this.reading = reading;
  }

  /** Prints the result, or why there is none. Gives the exit code. */
  int untilEnded(String workflowId, @Nullable Duration limit) {
    var handle = client.<JsonText>handle(workflowId, JsonText.class);
    try (var _ = new ProgressLine(() -> progress(handle.describe()), reading.err())) {
      var result = limit == null ? handle.result() : handle.result(limit);
      reading.out().println(result == null || result.text().isEmpty() ? JsonText.NULL : result);
      return ExitCode.OK;
    } catch (WorkflowFailed | WorkflowCancelled | WorkflowTimedOut | WorkflowTerminated ended) {
      say(ended);
      return NO_RESULT;
    } catch (WorkflowBlocked blocked) {
      say(blocked);
      return NO_END;
    } catch (TimeoutException _) {
      reading.err().println(progress(handle.describe()) + ": it goes on, and is not waited for");
      return NO_END;
    }
  }

  private void say(RuntimeException outcome) {
    reading.err().println(Table.printableLines(String.valueOf(outcome.getMessage())));
  }

  private String progress(RunDescription run) {
    var since = Duration.between(run.startedAt(), Instant.now());
    return "%s is %s%s"
        .formatted(
            Table.printable(run.workflowId()),
            run.status().name().toLowerCase(Locale.ROOT),
            since.isNegative() || run.status() == Status.QUEUED
                ? ""
                : " for " + Moments.text(since));
  }
}
