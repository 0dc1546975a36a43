package dev.reprise.engine.doctor;

import dev.reprise.engine.store.RunRow;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Runs that could go on for a while and that no live node has, counted by workflow: an application
 * that is switched off has many of them.
 *
 * <p>Whether somebody should have them shows only in the end: an engine serves a workflow if it has
 * a run of it.
 */
final class Overdue {
  private final Map<String, Waiting> byWorkflow = new TreeMap<>();
  private final Set<String> served = new HashSet<>();

  private record Waiting(long runs, RunRow first, Instant since) {}

  /** A live node has a run of this workflow. */
  void serves(String workflow) {
    served.add(workflow);
  }

  void add(RunRow row, Instant since) {
    byWorkflow.merge(row.workflow(), new Waiting(1, row, since), Overdue::both);
  }

  private static Waiting both(Waiting known, Waiting other) {
    var first = other.since().isBefore(known.since()) ? other : known;
    return new Waiting(known.runs() + other.runs(), first.first(), first.since());
  }

  void report(Consumer<Finding> findings) {
    byWorkflow.forEach((workflow, waiting) -> findings.accept(finding(workflow, waiting)));
  }

  private Finding finding(String workflow, Waiting waiting) {
    var what =
        "%s of %s could go on, the first since %s ('%s')"
            .formatted(
                waiting.runs() == 1 ? "1 run" : waiting.runs() + " runs",
                workflow,
                waiting.since(),
                waiting.first().workflowId());
    return served.contains(workflow)
        ? new Finding(Check.LATE, null, null, what + ": an engine serves it and does not take them")
        : new Finding(
            Check.UNSERVED,
            null,
            null,
            what + ": no engine serves it. Start one that registers it with workflow(…)");
  }
}
