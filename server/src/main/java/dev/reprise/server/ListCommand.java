package dev.reprise.server;

import dev.reprise.ListQuery;
import dev.reprise.NodeDescription;
import dev.reprise.RunDescription;
import dev.reprise.Status;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.NodeView;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code reprise list}: which workflows there are. */
@Command(
    name = "list",
    description = "Lists workflows, the newest first.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class ListCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only those in this state: ${COMPLETION-CANDIDATES}.")
  private @Nullable Status status;

  @Option(
      names = "--workflow",
      paramLabel = "NAME",
      description = "Only those of this definition, such as Checkout.")
  private @Nullable String workflow;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "At most so many; ${DEFAULT-VALUE} if not given.")
  private int limit = ListQuery.all().limit();

  @Override
  public void run() {
    var query = query();
    List<RunDescription> runs;
    List<NodeDescription> nodes;
    try (var store = reading.open()) {
      runs = store.list(query).stream().map(row -> HistoryView.of(row, List.of())).toList();
      nodes = NodeView.of(store);
    }
    if (reading.json()) reading.out().println(Json.runs(runs));
    else print(runs, nodes);
  }

  private ListQuery query() {
    try {
      return new ListQuery(status, workflow, null, limit);
    } catch (IllegalArgumentException outOfRange) {
      throw reading.wrong("Invalid value for option '--limit': " + outOfRange.getMessage());
    }
  }

  private void print(List<RunDescription> runs, List<NodeDescription> nodes) {
    if (runs.isEmpty()) {
      reading
          .out()
          .println(
              status == null && workflow == null
                  ? "There are no workflows yet."
                  : "There are no such workflows.");
      return;
    }
    new RunTable(runs, nodes, ZoneId.systemDefault()).print(reading.out());
    if (runs.size() == limit) reading.out().printf("%nThere may be more: see --limit.%n");
  }
}
