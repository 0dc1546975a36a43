package dev.reprise.verification.simulation;

import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.store.TaskStore.QueueCount;
import dev.reprise.verification.simulation.Chain.Link;
import dev.reprise.verification.simulation.WatchedTask.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whether activities on queues have come to their end, once, and their runs know. */
final class QueueJudge {
  private final Database database;
  private final Auditor auditor;
  private final Map<Long, Link> links = new HashMap<>();

  QueueJudge(Database database, Auditor auditor, Map<String, Chain> chains) {
    this.database = database;
    this.auditor = auditor;
    for (var chain : chains.values()) {
      for (var link : chain.links()) links.put(link.row().key(), link);
    }
  }

  void judge() {
    for (var task : auditor.tasks().all()) {
      if (task.state != State.ENDED) auditor.violation(task + " has never come to its end");
    }
    for (var count : database.tasks().count(null)) {
      if (rows(count) > 0) auditor.violation("on a queue is what has ended: " + count);
    }
    links.values().forEach(this::judgeEnds);
    auditor.tasks().told().forEach(this::judgeTold);
  }

  private static long rows(QueueCount count) {
    return count.ready() + count.delayed() + count.leased() + count.external() + count.open();
  }

  private void judgeEnds(Link link) {
    for (var event : link.events()) {
      if (!(event instanceof Event.ActivityScheduled activity)) continue;
      var id = activity.call().id();
      long ends = link.events().stream().filter(end -> isEndOf(end, id)).count();
      if (ends > 1) {
        auditor.violation("%s: activity %s ended twice".formatted(link.row().workflowId(), id));
      }
    }
  }

  private static boolean isEndOf(Event event, String id) {
    return event.subject().equals(id)
        && (event instanceof Event.ActivityCompleted
            || event instanceof Event.ActivityFailed
            || event instanceof Event.ActivityCancelled);
  }

  /** What waits for a run that is terminated or goes on with another one is not recorded. */
  private void judgeTold(TaskAuditor.Told told) {
    var link = links.get(told.run());
    if (link == null) return;
    long times = link.events().stream().filter(told.event()::equals).count();
    var status = link.row().status();
    boolean dropped =
        List.of(Status.TERMINATED, Status.CONTINUED).contains(status)
            || told.event() instanceof Event.ActivityRetryScheduled; // a later one may be first
    if (times == 1 || (times == 0 && dropped)) return;
    auditor.violation(
        "%s was told %d times: %s".formatted(link.row().workflowId(), times, told.event()));
  }
}
