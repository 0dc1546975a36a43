package dev.reprise.server;

import dev.reprise.NodeDescription;
import dev.reprise.NodeDescription.State;
import dev.reprise.RunDescription;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Runs for people: one line each, the newest first. */
final class RunTable {
  private final List<RunDescription> runs;
  private final Map<UUID, NodeDescription> nodes;
  private final ZoneId zone;

  RunTable(List<RunDescription> runs, List<NodeDescription> nodes, ZoneId zone) {
    this.runs = List.copyOf(runs);
    this.nodes = nodes.stream().collect(Collectors.toMap(NodeDescription::id, node -> node));
    this.zone = zone;
  }

  void print(PrintWriter out) {
    boolean owned = runs.stream().anyMatch(run -> !owner(run).isEmpty());
    var columns = new ArrayList<>(List.of("WORKFLOW ID", "WORKFLOW", "STATUS", "STARTED", "TOOK"));
    if (owned) columns.add("OWNER");
    var table = new Table(columns.toArray(String[]::new));
    for (var run : runs) {
      var cells = cells(run);
      if (owned) cells.add(owner(run));
      table.add(cells.toArray(String[]::new));
    }
    table.print(out);
  }

  private List<String> cells(RunDescription run) {
    return new ArrayList<>(
        List.of(
            run.workflowId(),
            run.workflow(),
            run.status().name(),
            Moments.full(run.startedAt(), zone),
            run.closed()
                .map(closed -> Moments.text(Duration.between(run.startedAt(), closed)))
                .orElse("still open")));
  }

  /** The host that has it, and what is the matter with that host if it cannot go on there. */
  private String owner(RunDescription run) {
    var node = run.owner() == null ? null : nodes.get(run.owner());
    if (node == null) return "";
    return node.state() == State.ALIVE
        ? node.host()
        : "%s (%s)".formatted(node.host(), NodeTable.state(node));
  }
}
