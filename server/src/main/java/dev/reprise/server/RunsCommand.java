package dev.reprise.server;

import dev.reprise.RunDescription;
import dev.reprise.Texts;
import dev.reprise.engine.store.HistoryView;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code reprise runs}: all runs of one workflow id. */
@Command(
    name = "runs",
    description = "Lists the runs of one workflow, the newest first: several if it was continued.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class RunsCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Parameters(paramLabel = "WORKFLOW-ID", description = "As 'reprise list' shows it.")
  private String workflowId = "";

  @Override
  public void run() {
    Texts.checked(workflowId, "workflow id");
    List<RunDescription> runs;
    try (var store = reading.open()) {
      runs = store.runsOf(workflowId).stream().map(row -> HistoryView.of(row, List.of())).toList();
    }
    if (runs.isEmpty()) throw Reading.unknown(workflowId);
    if (reading.json()) reading.out().println(Json.runs(runs));
    else print(runs);
  }

  private void print(List<RunDescription> runs) {
    var table = new Table("RUN", "WORKFLOW", "STATUS", "STARTED", "TOOK");
    for (var run : runs) {
      table.add(
          run.runId().toString(),
          run.workflow(),
          run.status().name(),
          Moments.full(run.startedAt(), ZoneId.systemDefault()),
          run.closed()
              .map(closed -> Moments.text(Duration.between(run.startedAt(), closed)))
              .orElse("still open"));
    }
    table.print(reading.out());
  }
}
