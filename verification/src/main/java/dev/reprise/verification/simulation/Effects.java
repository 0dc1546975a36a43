package dev.reprise.verification.simulation;

import dev.reprise.ActivityContext;
import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.store.RunRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * The world outside: what activities did, and whether they were allowed to when they began.
 *
 * <p>An activity may begin only in the process that has the run, when everything before it is
 * durable, and never once its own completion is. What is undone is undone in reverse order, when it
 * is stored that the run is undone.
 */
final class Effects {
  private final Database database;
  private final Auditor auditor;
  private final Trace trace;
  private final JobEffects jobs;
  private final Map<String, Integer> attempts = new HashMap<>();

  Effects(Database database, Trace trace) {
    this.database = database;
    this.auditor = database.auditor();
    this.trace = trace;
    this.jobs = new JobEffects(database, trace);
  }

  /** Of activities on queues. */
  JobEffects jobs() {
    return jobs;
  }

  static String token(ActivityContext context, String path, int attempt) {
    return prefix(context, path) + attempt;
  }

  private static String prefix(ActivityContext context, String path) {
    return context.workflowId() + "/" + path + "#";
  }

  /** Counts the attempt. */
  int begin(SimulatedProcess process, ActivityContext context, Work.Task task) {
    var what = prefix(context, task.path());
    int attempt = attempts.merge(what, 1, Integer::sum);
    trace.log("%s works on %s, attempt %d", process, what, attempt);
    auditor.count("activities begun");
    if (attempt > 1 + task.failures()) auditor.count("activities begun again after a crash");
    if (mayBegin(process, context, what, Status.RUNNING)) check(context, what, task.before());
    return attempt;
  }

  private boolean mayBegin(
      SimulatedProcess process, ActivityContext context, String what, Status status) {
    var row = database.find(context.workflowId());
    if (!database.isOwner(process, context.workflowId())) {
      auditor.violation("%s works for %s without having it".formatted(process, what));
    }
    if (row.isEmpty() || !row.get().runId().equals(context.runId())) {
      auditor.violation("%s is not stored and has begun to work".formatted(what));
      return false;
    }
    if (row.get().status() != status) {
      auditor.violation("%s began while its run was %s".formatted(what, row.get().status()));
    }
    return true;
  }

  /** A run has killed its process. */
  void poisoned(SimulatedProcess process, String workflowId) {
    trace.log("%s is killed by %s", process, workflowId);
    auditor.count("processes killed by a run");
  }

  private List<Event> events(RunRow row) {
    return database.history(row.key()).stream().map(event -> event.recorded().event()).toList();
  }

  /** Runs before this one count, too: the workflow goes on where they were. */
  private void check(ActivityContext context, String what, String before) {
    boolean known = !before.contains("#");
    var rows = new ArrayList<>(database.runsOf(context.workflowId()));
    if (!known) rows.addAll(database.runsOf(before.substring(0, before.lastIndexOf("/g"))));
    for (var row : rows) {
      for (var event : events(row)) {
        if (!(event instanceof Event.ActivityCompleted done)) continue;
        var result = done.result().toString();
        if (result.contains(what)) {
          auditor.violation("%s runs again after it was recorded".formatted(what));
        }
        known |= result.contains(before);
      }
    }
    if (!known) auditor.violation("%s began before %s was durable".formatted(what, before));
  }

  // ---- undoing

  /** Counts the attempt. */
  int undo(SimulatedProcess process, ActivityContext context, Work.Undo undo) {
    var what = prefix(context, "undo " + context.activityId());
    int attempt = attempts.merge(context.runId() + what, 1, Integer::sum);
    trace.log("%s works on %s, attempt %d", process, what, attempt);
    auditor.count("compensations begun");
    if (attempt > 1 + undo.failures()) auditor.count("compensations begun again after a crash");
    if (mayBegin(process, context, what, Status.COMPENSATING)) checkOrder(context, what);
    return attempt;
  }

  /** Whatever was remembered later has been tried. */
  private void checkOrder(ActivityContext context, String what) {
    var later = new ArrayList<String>();
    var tried = new HashSet<String>();
    boolean remembered = false;
    for (var event : events(database.find(context.workflowId()).orElseThrow())) {
      switch (event) {
        case Event.CompensationRegistered registered -> {
          if (remembered) later.add(registered.call().id());
          remembered |= registered.call().id().equals(context.activityId());
        }
        case Event.CompensationCompleted(var call, _) -> {
          tried.add(call.id());
          if (call.id().equals(context.activityId())) {
            auditor.violation("%s runs again after it was recorded".formatted(what));
          }
        }
        case Event.CompensationFailed(var call, _, _) -> tried.add(call.id());
        default -> {}
      }
    }
    if (!remembered) auditor.violation("%s was never remembered".formatted(what));
    later.removeAll(tried);
    if (!later.isEmpty()) {
      auditor.violation("%s is undone before %s, which came later".formatted(what, later));
    }
  }
}
