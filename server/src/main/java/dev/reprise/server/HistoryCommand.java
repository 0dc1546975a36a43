package dev.reprise.server;

import dev.reprise.ErrorCode;
import dev.reprise.HistoryEvent;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.engine.store.HistoryView;
import java.time.ZoneId;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code reprise history}: what a workflow did. */
@Command(
    name = "history",
    description = "Shows what a workflow did, event by event.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class HistoryCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Parameters(paramLabel = "WORKFLOW-ID", description = "As 'reprise list' shows it.")
  private String workflowId = "";

  @Override
  public void run() {
    RunDescription run;
    List<HistoryEvent> events;
    try (var store = reading.open()) {
      var row = store.find(workflowId).orElseThrow(this::unknown);
      run = HistoryView.of(row, List.of());
      events = HistoryView.of(store, row.key());
    }
    if (reading.json()) reading.out().println(Json.history(events));
    else new HistoryTable(run, events, ZoneId.systemDefault()).print(reading.out());
  }

  private RepriseException unknown() {
    return new RepriseException(
        ErrorCode.R113,
        "there is no workflow with the id '%s': 'reprise list' shows those that there are"
            .formatted(workflowId));
  }
}
