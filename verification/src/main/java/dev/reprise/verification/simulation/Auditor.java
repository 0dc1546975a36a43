package dev.reprise.verification.simulation;

import dev.reprise.ErrorCode;
import dev.reprise.engine.event.ChildReport;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Origin;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
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
import java.util.Objects;
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
  private final Map<Long, Origin> origins = new HashMap<>();
  private final Map<Long, Integer> closed = new HashMap<>();
  private final Set<Long> open = new HashSet<>();
  private final Set<Long> misread = new HashSet<>();
  private final Map<String, Event> ends = new HashMap<>(); // of children
  private final Trace trace;
  private final TaskAuditor tasks = new TaskAuditor(this);
  private boolean clockJumped;

  Auditor(Trace trace) {
    this.trace = trace;
  }

  /** Of activities on queues. */
  TaskAuditor tasks() {
    return tasks;
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

  boolean hasClockJumped() {
    return clockJumped;
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
        case Transition.Start(var row, var events, var added, _) -> {
          started(row, events, now);
          tasks.forked(row.key(), events, added, now);
        }
        case Transition.Append append -> appended(append, now);
        case Transition.Accept _ -> count("inputs in the inbox");
      }
    }
  }

  private void started(RunRow row, List<EventRow> events, Instant now) {
    open.add(row.key());
    appended(row.key(), events, now);
    if (events.getFirst().recorded().event() instanceof Event.WorkflowStarted started) {
      origins.put(row.key(), started.origin());
    }
  }

  private void appended(Transition.Append append, Instant now) {
    long run = append.run();
    appended(run, append.events(), now);
    for (var row : append.events()) familyEvent(run, row.recorded().event());
    tasks.scheduled(run, append.events(), append.tasks(), now);
    tasks.cancelled(run, append.cancelled());
    switch (append.change()) {
      case RunChange.Continue(var next, var events, _) -> {
        closed(run);
        started(next, events, now);
      }
      case RunChange.Close _ -> closed(run);
      case RunChange.Block(var reason) -> held(run, reason);
      case RunChange.Compensate _ -> count("runs undone");
      default -> {}
    }
  }

  private void closed(long run) {
    open.remove(run);
    closed.put(run, closed.size());
  }

  /** A node has read an event with a flipped bit, and must not act on it. */
  void misread(long run, int index) {
    log("event #%d of run %d is misread", index, run);
    count("histories misread");
    misread.add(run);
  }

  /** Nothing but a run that keeps crashing, was misread, or cannot be undone, is held. */
  private void held(long run, String reason) {
    boolean undo = reason.contains(ErrorCode.R132.name());
    if (undo) count("runs held that could not be undone");
    if (misread.contains(run) && reason.contains(ErrorCode.R145.name())) {
      count("runs held that were misread");
      return;
    }
    if (undo || reason.contains(ErrorCode.R124.name())) return;
    violation("run %d is blocked: %s".formatted(run, reason));
  }

  /** A parent hears of the end of a child when that is stored, and as it is stored. */
  private void familyEvent(long run, Event event) {
    switch (event) {
      case Event.ChildCompleted(var id, _) -> checkEnd(run, id, event);
      case Event.ChildFailed(var id, _, var failure) -> {
        boolean inUse = String.valueOf(failure.message()).contains(ErrorCode.R125.name());
        if (!inUse) checkEnd(run, id, event);
      }
      default -> {
        var origin = origins.getOrDefault(run, Origin.PLAIN);
        var parent = origin.parent();
        if (parent == null || !event.isTerminal()) return;
        var end = ChildReport.of(parent.childId(), event);
        if (end != null) ends.put(parent.runId() + "/" + parent.childId(), end);
      }
    }
  }

  private void checkEnd(long run, String childId, Event event) {
    var first = Objects.requireNonNull(histories.get(run)).getFirst().recorded().event();
    if (!(first instanceof Event.WorkflowStarted started)) return;
    var end = ends.get(started.runId() + "/" + childId);
    if (event.equals(end)) return;
    violation(
        "%s was told that %s ended, which is not stored".formatted(started.workflowId(), childId));
  }

  /** Runs that have not come to their end. */
  Set<Long> open() {
    return open;
  }

  /** When a run was closed, as a number that grows. */
  int closed(RunRow row) {
    return closed.getOrDefault(row.key(), Integer.MAX_VALUE);
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
