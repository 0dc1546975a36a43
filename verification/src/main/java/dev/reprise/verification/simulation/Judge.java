package dev.reprise.verification.simulation;

import dev.reprise.Status;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.verification.simulation.Call.Answer;
import dev.reprise.verification.simulation.Call.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares, when all is over, what callers were told with what the histories say. */
final class Judge {
  private final Database database;
  private final Auditor auditor;
  private final Rehearsals rehearsals;
  private final List<Call> calls;
  private final List<String> workflows;

  Judge(
      Database database,
      Auditor auditor,
      Rehearsals rehearsals,
      List<Call> calls,
      List<String> workflows) {
    this.database = database;
    this.auditor = auditor;
    this.rehearsals = rehearsals;
    this.calls = calls;
    this.workflows = workflows;
  }

  void judge() {
    for (var finding : new Doctor(database, database::now).examine().findings()) {
      auditor.violation("doctor: " + finding);
    }
    for (var id : workflows) {
      var about = calls.stream().filter(call -> call.workflowId().equals(id)).toList();
      database.find(id).ifPresentOrElse(row -> judge(row, about), () -> judgeAbsent(id, about));
    }
  }

  private void judgeAbsent(String id, List<Call> about) {
    for (var call : about) {
      boolean fits = call.answer() == Answer.ABSENT || call.answer() == Answer.UNKNOWN;
      if (!fits) auditor.violation("%s is lost; a caller was told %s".formatted(id, call));
    }
  }

  private void judge(RunRow row, List<Call> about) {
    var history = database.history(row.key());
    var events = history.stream().map(event -> event.recorded().event()).toList();
    judgeStored(row, history);
    judgeEnd(row, events, about);
    judgeSignals(row, events, about);
    var last = Linearizable.Last.of(row, events);
    report(row, new Linearizable(last, about).problem());
    report(row, rehearsals.problem(row, history));
    auditor.count("runs " + row.status().name());
  }

  /** When a signal was sent first: an attempt of a process that stood still may end much later. */
  private static long firstAsked(String note, List<Call> about) {
    return about.stream()
        .filter(call -> call.kind() == Kind.SIGNAL && call.argument().equals(note))
        .mapToLong(Call::from)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private void report(RunRow row, @Nullable String problem) {
    if (problem != null) auditor.violation(row.workflowId() + " " + problem);
  }

  /** What was committed once is there, unchanged, and nothing else is. */
  private void judgeStored(RunRow row, List<EventRow> history) {
    var committed = auditor.histories().getOrDefault(row.key(), List.of());
    boolean same = committed.size() == history.size();
    for (int i = 0; same && i < history.size(); i++) {
      same = isSame(committed.get(i), history.get(i));
    }
    if (!same) auditor.violation("the history of %s has changed".formatted(row.workflowId()));
  }

  private static boolean isSame(EventRow one, EventRow other) {
    return one.index() == other.index()
        && one.type() == other.type()
        && one.at().equals(other.at())
        && Arrays.equals(one.attributes(), other.attributes())
        && Arrays.equals(one.value(), other.value());
  }

  private void judgeEnd(RunRow row, List<Event> events, List<Call> about) {
    if (!row.status().isClosed()) {
      auditor.violation("%s is %s for ever".formatted(row.workflowId(), row.status()));
      return;
    }
    var told = new HashSet<String>();
    for (var call : about) {
      if (call.kind() == Kind.RESULT && call.answer() == Answer.DONE) told.add(call.value());
    }
    var end =
        switch (events.getLast()) {
          case Event.WorkflowCompleted(var result) -> result.toString();
          case Event.WorkflowCancelled _ -> "\"cancelled\"";
          case Event.WorkflowFailed _ -> "\"failed\"";
          case Event other -> other.toString();
        };
    for (var value : told) {
      if (end.equals("\"" + value + "\"")) continue;
      auditor.violation(
          "%s ended with %s, a caller was told %s".formatted(row.workflowId(), end, value));
    }
    boolean cancel = events.stream().anyMatch(Event.WorkflowCancelRequested.class::isInstance);
    if (row.status() == Status.FAILED && !cancel) {
      auditor.violation(row.workflowId() + " failed: " + events.getLast());
    }
  }

  /** Each once, and those that came by one process in the order in which it was asked. */
  private void judgeSignals(RunRow row, List<Event> events, List<Call> about) {
    var order = new ArrayList<String>();
    Set<String> seen = new HashSet<>();
    for (var event : events) {
      if (!(event instanceof Event.SignalReceived signal)) continue;
      var note = signal.value().toString().replace("\"", "");
      order.add(note);
      if (!seen.add(note)) {
        auditor.violation("%s received %s twice".formatted(row.workflowId(), note));
      }
    }
    for (var earlier : about) {
      for (var later : about) {
        if (earlier.kind() != Kind.SIGNAL || later.kind() != Kind.SIGNAL) continue;
        if (earlier.answer() != Answer.DONE) continue;
        if (earlier.to() >= firstAsked(later.argument(), about)) continue;
        if (earlier.by().isEmpty() || !earlier.by().equals(later.by())) continue;
        if (earlier.argument().equals(later.argument())) continue;
        int first = order.indexOf(earlier.argument());
        int second = order.indexOf(later.argument());
        if (first < 0 || second < 0 || first < second) continue;
        auditor.violation(
            "%s received %s before %s, which was acknowledged before the other was sent"
                .formatted(row.workflowId(), later.argument(), earlier.argument()));
      }
    }
  }
}
