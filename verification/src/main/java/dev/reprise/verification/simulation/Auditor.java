package dev.reprise.verification.simulation;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Watches what the database does, as nobody inside can, and remembers it apart from it: each commit
 * is checked when it happens.
 */
final class Auditor {
  private static final int MOST_VIOLATIONS = 20;

  private final List<String> violations = new ArrayList<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private final Set<UUID> fenced = new HashSet<>();
  private final Map<Long, List<EventRow>> histories = new HashMap<>();
  private final Map<String, Instant> due = new HashMap<>();
  private final Trace trace;
  private boolean clockJumped;

  Auditor(Trace trace) {
    this.trace = trace;
  }

  void violation(String what) {
    trace.log("VIOLATION %s", what);
    if (violations.size() < MOST_VIOLATIONS) violations.add(what);
  }

  List<String> violations() {
    return violations;
  }

  /** Something happened that simulations must not be blind to. */
  void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  Map<String, Long> counts() {
    return counts;
  }

  void log(String format, Object... arguments) {
    trace.log(format, arguments);
  }

  void fenced(UUID node) {
    fenced.add(node);
    count("nodes fenced or gone");
  }

  boolean isFenced(UUID node) {
    return fenced.contains(node);
  }

  void clockJumped() {
    clockJumped = true;
    count("clock jumps");
  }

  // ---- commits

  void committed(Batch batch, List<Outcome> outcomes, Instant now) {
    count("batches");
    if (fenced.contains(batch.node())) {
      violation(
          "batch %d of the fenced node %s was stored".formatted(batch.sequence(), batch.node()));
    }
    for (int i = 0; i < outcomes.size(); i++) {
      var outcome = outcomes.get(i);
      if (outcome == Outcome.INPUTS_WAITING) count("closes that had to wait for inputs");
      if (outcome != Outcome.STORED) continue;
      switch (batch.transitions().get(i)) {
        case Transition.Start(var row, var events) -> appended(row.key(), events, now);
        case Transition.Append append -> {
          appended(append.run(), append.events(), now);
          if (append.change() instanceof RunChange.Continue(var next, var events, _)) {
            appended(next.key(), events, now);
          }
        }
        case Transition.Accept _ -> count("inputs in the inbox");
      }
    }
  }

  private void appended(long run, List<EventRow> events, Instant now) {
    var history = histories.computeIfAbsent(run, _ -> new ArrayList<>());
    for (var event : events) {
      if (!history.isEmpty()) checkAfter(run, history.getLast(), event);
      if (event.index() != history.size() + 1) {
        violation("run %d: event %d after %d".formatted(run, event.index(), history.size()));
      }
      history.add(event);
      checkTime(run, event, now);
    }
  }

  private void checkAfter(long run, EventRow before, EventRow event) {
    if (before.recorded().event().isTerminal()) {
      violation("run %d: event %d after its end".formatted(run, event.index()));
    }
    if (event.at().isBefore(before.at())) {
      violation("run %d: event %d is older than the one before".formatted(run, event.index()));
    }
  }

  /** By the database's clock, whatever the nodes believe. */
  private void checkTime(long run, EventRow row, Instant now) {
    switch (row.recorded().event()) {
      case Event.TimerScheduled(var id, var at) -> due.put(run + "/" + id, at);
      case Event.TimerFired(var id) -> {
        var at = due.getOrDefault(run + "/" + id, Instant.MAX);
        boolean early = row.at().isBefore(at) || (!clockJumped && now.isBefore(at));
        if (early) violation("run %d: timer %s fired at %s, due %s".formatted(run, id, now, at));
      }
      default -> {}
    }
  }

  /** What was committed, as it was at that time. */
  Map<Long, List<EventRow>> histories() {
    return histories;
  }
}
