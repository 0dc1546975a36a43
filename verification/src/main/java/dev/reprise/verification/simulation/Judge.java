package dev.reprise.verification.simulation;

import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.store.AttributesJson;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.verification.simulation.Call.Answer;
import dev.reprise.verification.simulation.Call.Kind;
import dev.reprise.verification.simulation.Chain.Link;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares, when all is over, what callers were told with what the histories say. */
final class Judge {
  private final Database database;
  private final Auditor auditor;
  private final Rehearsals rehearsals;
  private final List<Call> calls;
  private final Map<String, Chain> chains = new TreeMap<>();

  Judge(Database database, Auditor auditor, Rehearsals rehearsals, List<Call> calls) {
    this.database = database;
    this.auditor = auditor;
    this.rehearsals = rehearsals;
    this.calls = calls;
  }

  /**
   * @param workflows those that callers started, or wanted to
   * @param forks those that are forks of these
   */
  void judge(List<String> workflows, List<String> forks) {
    for (var finding : new Doctor(database, database::now).examine().findings()) {
      auditor.violation("doctor: " + finding);
    }
    gather();
    chains.values().forEach(this::judge);
    for (var id : workflows) judge(id, true);
    for (var id : forks) judge(id, false);
    new FamilyJudge(auditor, chains).judge();
    new ForkJudge(auditor, chains).judge();
    new QueueJudge(database, auditor, chains).judge();
  }

  private void gather() {
    var rows = database.runs(auditor.histories().keySet());
    for (var row : rows) {
      if (row.workflow().equals(Poison.class.getSimpleName())) continue;
      chains.computeIfAbsent(row.workflowId(), this::chain);
    }
  }

  private Chain chain(String id) {
    var links =
        database.runsOf(id).reversed().stream()
            .map(row -> Link.of(row, database.history(row.key())))
            .toList();
    return new Chain(id, links);
  }

  /** What can be said of any workflow. */
  private void judge(Chain chain) {
    var ended = calls.stream().filter(call -> call.workflowId().equals(chain.workflowId()));
    boolean mayEndAtOnce =
        chain.first().row().parent() != null
            || ended.anyMatch(call -> call.kind() == Kind.TERMINATE);
    for (var link : chain.links()) {
      judgeStored(link.row(), link.history());
      report(link.row(), rehearsals.problem(link.row(), link.history()));
      report(link.row(), UndoJudge.problem(link, mayEndAtOnce));
      auditor.count("runs " + link.row().status().name());
      if (link.has(Event.LoopSnapshot.class)) auditor.count("runs looped");
      report(link.row(), attributes(link));
    }
    var problem = ChainJudge.problem(chain);
    if (problem != null) auditor.violation(chain.workflowId() + " " + problem);
    var status = chain.last().row().status();
    if (!status.isClosed()) {
      auditor.violation("%s is %s for ever".formatted(chain.workflowId(), status));
    }
    judgeFailure(chain);
  }

  /** What it can be found by is what its history says. */
  private static @Nullable String attributes(Link link) {
    var state = RunState.empty();
    for (var row : link.history()) state = state.apply(row.recorded());
    var wanted = AttributesJson.write(state.life().attributeMap());
    var found = link.row().attributes();
    boolean none = found == null || found.equals("{}");
    boolean same = wanted == null ? none : wanted.equals(found);
    return same ? null : "has the attributes %s and should have %s".formatted(found, wanted);
  }

  private void judgeFailure(Chain chain) {
    if (!(chain.last().events().getLast() instanceof Event.WorkflowFailed(var failure))) return;
    boolean planned = Scene.PLANNED.equals(failure.message());
    if (!planned && !isInterrupted(chain)) {
      auditor.violation("%s failed: %s".formatted(chain.workflowId(), failure));
    }
  }

  /** A step that was given up may be what it fails with then. */
  private static boolean isInterrupted(Chain chain) {
    return chain.has(Event.WorkflowCancelRequested.class)
        || chain.has(Event.TimeLimitReached.class);
  }

  /** What callers were told. */
  private void judge(String id, boolean isWhole) {
    var about = calls.stream().filter(call -> call.workflowId().equals(id)).toList();
    var chain = chains.get(id);
    if (chain == null) {
      judgeAbsent(id, about);
      return;
    }
    judgeEnd(chain, about);
    judgeSignals(chain, about);
    if (!isWhole) return; // nobody has started it
    for (var call : about) {
      if (call.kind() != Kind.UPDATE) continue;
      if (call.answer() == Answer.DONE) auditor.count("updates done");
      if (call.answer() == Answer.REFUSED) auditor.count("updates refused");
    }
    RequestJudge.problems(chain, about).forEach(problem -> auditor.violation(id + " " + problem));
    var last = Linearizable.Last.of(chain);
    var checked = about.stream().filter(call -> Linearizable.KINDS.contains(call.kind())).toList();
    report(chain.last().row(), new Linearizable(last, checked).problem());
  }

  private void judgeAbsent(String id, List<Call> about) {
    for (var call : about) {
      boolean fits = call.answer() == Answer.ABSENT || call.answer() == Answer.UNKNOWN;
      if (!fits) auditor.violation("%s is lost; a caller was told %s".formatted(id, call));
    }
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

  static boolean isSame(EventRow one, EventRow other) {
    return one.index() == other.index()
        && one.type() == other.type()
        && one.at().equals(other.at())
        && Arrays.equals(one.attributes(), other.attributes())
        && Arrays.equals(one.value(), other.value());
  }

  private void judgeEnd(Chain chain, List<Call> about) {
    var told = new HashSet<String>();
    for (var call : about) {
      if (call.kind() == Kind.RESULT && call.answer() == Answer.DONE) told.add(call.value());
    }
    var end =
        switch (chain.last().events().getLast()) {
          case Event.WorkflowCompleted(var result) -> result.toString();
          case Event.WorkflowCancelled _ -> "\"cancelled\"";
          case Event.WorkflowFailed _ -> "\"failed\"";
          case Event.WorkflowTimedOut _ -> "\"timed out\"";
          case Event.WorkflowTerminated _ -> "\"terminated\"";
          case Event other -> other.toString();
        };
    for (var value : told) {
      if (end.equals("\"" + value + "\"")) continue;
      auditor.violation(
          "%s ended with %s, a caller was told %s".formatted(chain.workflowId(), end, value));
    }
  }

  /** Those that came by one process in the order in which it was asked. */
  private void judgeSignals(Chain chain, List<Call> about) {
    var notes = chain.links().stream().flatMap(link -> Link.notes(link.events()).stream());
    var order = List.copyOf(new LinkedHashSet<>(notes.toList()));
    for (var earlier : signals(about).toList()) {
      if (earlier.answer() != Answer.DONE || earlier.by().isEmpty()) continue;
      signals(about)
          .filter(later -> earlier.by().equals(later.by()))
          .filter(later -> earlier.to() < firstAsked(later.argument(), about))
          .filter(later -> isBefore(order, later.argument(), earlier.argument()))
          .forEach(
              later ->
                  auditor.violation(
                      "%s received %s before %s, which was acknowledged before the other was sent"
                          .formatted(chain.workflowId(), later.argument(), earlier.argument())));
    }
  }

  private static Stream<Call> signals(List<Call> about) {
    return about.stream().filter(call -> call.kind() == Kind.SIGNAL);
  }

  private static boolean isBefore(List<String> order, String one, String other) {
    int first = order.indexOf(one);
    return first >= 0 && first < order.indexOf(other);
  }

  /** When a signal was sent first: an attempt of a process that stood still may end much later. */
  private static long firstAsked(String note, List<Call> about) {
    return signals(about)
        .filter(call -> call.argument().equals(note))
        .mapToLong(Call::from)
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
