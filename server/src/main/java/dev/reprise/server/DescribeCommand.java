package dev.reprise.server;

import dev.reprise.ErrorCode;
import dev.reprise.HistoryEvent;
import dev.reprise.NodeDescription;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.Status;
import dev.reprise.Texts;
import dev.reprise.Waiting;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.NodeView;
import dev.reprise.engine.store.QueuedWait;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.TaskNotes;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise describe}: how a workflow is. */
@Command(
    name = "describe",
    description = "Shows how a workflow is: its state, what it waits for, and what happened last.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class DescribeCommand implements Runnable {
  private static final int LAST = 10; // fits a screen with the rest

  @Mixin private final Reading reading = new Reading();

  @Parameters(paramLabel = "WORKFLOW-ID", description = "As 'reprise list' shows it.")
  private String workflowId = "";

  @Option(
      names = "--events",
      paramLabel = "N",
      description = "So many events, the last ones; ${DEFAULT-VALUE} if not given.")
  private int events = LAST;

  private record Found(
      RunDescription run, List<HistoryEvent> history, List<NodeDescription> nodes) {}

  @Override
  public void run() {
    if (events < 0) throw reading.wrong("Invalid value for option '--events': below 0: " + events);
    Texts.checked(workflowId, "workflow id");
    Found found;
    try (var store = reading.open()) {
      found = find(store, store.find(workflowId).orElseThrow(() -> Reading.unknown(workflowId)));
    }
    int size = found.history.size();
    var last = found.history.subList(Math.max(0, size - events), size);
    if (reading.json()) reading.out().println(Json.description(found.run, last));
    else {
      new Description(found.run, last, ZoneId.systemDefault()).print(reading.out(), owner(found));
    }
  }

  private Found find(Store store, RunRow row) {
    var history = history(store, row);
    return new Found(HistoryView.of(row, waits(store, row, history)), history, NodeView.of(store));
  }

  /** The row of a run tells enough to go on from, also if its history is damaged. */
  private List<HistoryEvent> history(Store store, RunRow row) {
    try {
      return HistoryView.of(store, row.key());
    } catch (RepriseException damaged) {
      if (damaged.code() != ErrorCode.R145 && damaged.code() != ErrorCode.R108) throw damaged;
      reading.err().println(damaged.getMessage());
      return List.of();
    }
  }

  private static List<Waiting> waits(Store store, RunRow row, List<HistoryEvent> history) {
    var now = store.clock().instant();
    if (row.status() == Status.QUEUED) return QueuedWait.of(store, row, now);
    var waits = row.status().isActive() ? RecordedWaits.in(history) : List.<Waiting>of();
    boolean isBare = waits.isEmpty() && store.tasks().ofRun(row.key()).isEmpty();
    if (isBare && row.status() == Status.RUNNING) waits = RecordedWaits.none(row, history, now);
    return new TaskNotes(store, now).annotated(row, waits);
  }

  private static @Nullable String owner(Found found) {
    return found.nodes.stream()
        .filter(node -> node.id().equals(found.run.owner()))
        .map(node -> "%s (%s)".formatted(node.host(), NodeTable.state(node)))
        .findFirst()
        .orElse(null);
  }
}
