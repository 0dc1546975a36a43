package dev.reprise.server;

import dev.reprise.RunDescription;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/** Runs for people: one line each, the newest first. */
final class RunTable {
  private final List<RunDescription> runs;
  private final ZoneId zone;

  RunTable(List<RunDescription> runs, ZoneId zone) {
    this.runs = List.copyOf(runs);
    this.zone = zone;
  }

  void print(PrintWriter out) {
    var table = new Table("WORKFLOW ID", "WORKFLOW", "STATUS", "STARTED", "TOOK");
    for (var run : runs) {
      table.add(
          run.workflowId(),
          run.workflow(),
          run.status().name(),
          Moments.full(run.startedAt(), zone),
          run.closed()
              .map(closed -> Moments.text(Duration.between(run.startedAt(), closed)))
              .orElse("still open"));
    }
    table.print(out);
  }
}
