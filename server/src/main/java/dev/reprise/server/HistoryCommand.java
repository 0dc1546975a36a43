package dev.reprise.server;

import dev.reprise.Texts;
import dev.reprise.engine.archive.History;
import dev.reprise.engine.archive.HistoryJson;
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
    Texts.checked(workflowId, "workflow id");
    History history;
    try (var store = reading.open()) {
      history = History.of(store, workflowId).orElseThrow(() -> Reading.unknown(workflowId));
    }
    if (reading.json()) reading.out().println(HistoryJson.write(history));
    else table(history).print(reading.out());
  }

  private static HistoryTable table(History history) {
    return new HistoryTable(
        HistoryView.of(history.run(), List.of()),
        HistoryView.of(history.events()),
        ZoneId.systemDefault());
  }
}
