package dev.reprise.verification.simulation;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.store.EventRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The world outside: what activities did, and whether they were allowed to when they began.
 *
 * <p>An activity may begin only in the process that has the run, when everything before it is
 * durable, and never once its own completion is.
 */
final class Effects {
  private final Database database;
  private final Auditor auditor;
  private final Trace trace;
  private final Map<String, Integer> attempts = new HashMap<>();

  Effects(Database database, Trace trace) {
    this.database = database;
    this.auditor = database.auditor();
    this.trace = trace;
  }

  static String token(Work.Task task, int attempt) {
    return prefix(task) + attempt;
  }

  private static String prefix(Work.Task task) {
    return task.workflowId() + "/" + task.path() + "#";
  }

  /** Counts the attempt. */
  int begin(SimulatedProcess process, Work.Task task) {
    var id = task.workflowId();
    int attempt = attempts.merge(prefix(task), 1, Integer::sum);
    trace.log("%s works on %s, attempt %d", process, prefix(task), attempt);
    auditor.count("activities begun");
    if (attempt > 1 + task.failures()) auditor.count("activities begun again after a crash");
    if (!database.isOwner(process, id)) {
      auditor.violation("%s works for %s without having it".formatted(process, prefix(task)));
    }
    var row = database.find(id);
    if (row.isEmpty()) {
      auditor.violation("%s is not stored and has begun to work".formatted(id));
      return attempt;
    }
    check(task, database.history(row.get().key()));
    return attempt;
  }

  /** A run has killed its process. */
  void poisoned(SimulatedProcess process, String workflowId) {
    trace.log("%s is killed by %s", process, workflowId);
    auditor.count("processes killed by a run");
  }

  private void check(Work.Task task, List<EventRow> history) {
    boolean before = !task.before().contains("#");
    for (var row : history) {
      if (!(row.recorded().event() instanceof Event.ActivityCompleted done)) continue;
      var result = done.result().toString();
      if (result.contains(prefix(task))) {
        auditor.violation("%s runs again after it was recorded".formatted(prefix(task)));
      }
      before |= result.contains(task.before());
    }
    if (!before) {
      auditor.violation("%s began before %s was durable".formatted(prefix(task), task.before()));
    }
  }
}
