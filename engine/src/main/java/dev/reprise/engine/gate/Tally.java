package dev.reprise.engine.gate;

import dev.reprise.engine.replay.Verdict;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what comes of the runs of one workflow. */
final class Tally {
  private static final int LINES = 200; // more lines than this are one mistake in the setup
  private static final int HANGS = 3; // each takes all of the patience, and tells nothing new

  private final String workflow;
  private final boolean known;
  private final Map<String, Departure> departures = new LinkedHashMap<>();
  private long followed;
  private long departed;
  private long hung;
  private long skipped;

  Tally(String workflow, boolean known) {
    this.workflow = workflow;
    this.known = known;
  }

  /** Whether more of its runs are worth trying. */
  boolean goesOn() {
    return known && hung < HANGS;
  }

  void skip() {
    skipped++;
  }

  void add(RunRow run, List<EventRow> history, Verdict verdict) {
    switch (verdict) {
      case Verdict.Follows _ -> followed++;
      case Verdict.Departs(var events, var reason, _) -> {
        departed++;
        var site = events < history.size() ? history.get(events).site() : null;
        note(departure(run, site, false, events, reason));
      }
      case Verdict.Hangs(var reason, var where) -> {
        hung++;
        note(departure(run, line(where), true, -1, reason));
      }
    }
  }

  private void note(Departure one) {
    var key = one.hangs() + "@" + one.line();
    var known = departures.get(key);
    if (known != null) departures.put(key, known.and(one.workflowId()));
    else if (departures.size() < LINES) departures.put(key, one);
  }

  private static Departure departure(
      RunRow run, @Nullable String line, boolean hangs, int followed, String reason) {
    return new Departure(
        line, hangs, run.workflowId(), run.runId(), run.status(), followed, reason, 1, List.of());
  }

  /** Where the code is that does not come back. */
  private static @Nullable String line(Throwable where) {
    for (var frame : where.getStackTrace()) {
      if (frame.getClassName().startsWith("java.") || frame.getClassName().startsWith("jdk.")) {
        continue;
      }
      return frame.getFileName() + ":" + frame.getLineNumber();
    }
    return null;
  }

  WorkflowReport report() {
    return new WorkflowReport(
        workflow, known, followed, departed, hung, skipped, List.copyOf(departures.values()));
  }
}
