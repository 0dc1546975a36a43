package dev.reprise.engine.store;

import dev.reprise.Waiting;
import dev.reprise.engine.event.Event.ActivityScheduled;
import dev.reprise.engine.event.EventType;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says of activities on queues where they are, waiting for whom or with which worker, and what no
 * engine that lives can run.
 */
public final class TaskNotes {
  private static final int MOST = 100; // of those that nobody waits for at the moment
  private static final int SHOWN = 200; // of heartbeat details, which may be a whole document

  private final Store store;
  private final Instant now;

  public TaskNotes(Store store, Instant now) {
    this.store = store;
    this.now = now;
  }

  /** The waits with notes, and what is on queues beside them. For a thread that may read. */
  public List<Waiting> annotated(RunRow row, List<Waiting> waits) {
    var served = Served.at(store, now);
    return new EngineNotes(store, served).annotated(row, withTasks(row, waits, served), now);
  }

  private List<Waiting> withTasks(RunRow row, List<Waiting> waits, Served served) {
    var tasks = store.tasks().ofRun(row.key());
    if (tasks.isEmpty()) return waits;
    var ids = new HashMap<Integer, String>();
    var type = EventType.ACTIVITY_SCHEDULED.code();
    for (var event : store.eventsOfType(row.key(), type)) {
      if (!event.damaged() && event.recorded().event() instanceof ActivityScheduled activity) {
        ids.put(event.index(), activity.call().id());
      }
    }
    var notes = new HashMap<String, TaskView>();
    for (var task : tasks) {
      var id = ids.get(task.ref().index());
      if (id != null) notes.put(id, task);
    }
    return merged(waits, notes, served);
  }

  private static List<Waiting> merged(
      List<Waiting> waits, Map<String, TaskView> notes, Served served) {
    var all = new ArrayList<Waiting>();
    for (var wait : waits) {
      var task = wait.kind() == Waiting.Kind.ACTIVITY ? notes.remove(wait.id()) : null;
      all.add(task == null ? wait : wait.withNote(note(task, served)));
    }
    notes.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .limit(MOST)
        .forEach(entry -> all.add(waiting(entry.getKey(), entry.getValue(), served)));
    return all;
  }

  private static Waiting waiting(String id, TaskView task, Served served) {
    var what = "activity %s on queue '%s'".formatted(task.task().name(), task.task().queue());
    var wait =
        new Waiting(Waiting.Kind.ACTIVITY, id, what, null, null, Math.max(1, task.attempt()), null);
    return wait.withNote(note(task, served));
  }

  private static String note(TaskView task, Served served) {
    return switch (task.state()) {
      case DELAYED -> "waits until %s for its next attempt".formatted(task.task().visibleAt());
      case READY -> ready(task, served);
      case LEASED ->
          "with worker %s%s%s"
              .formatted(
                  task.worker(),
                  heartbeat(task),
                  task.cancelled() ? ", which is to hear that nobody wants it any more" : "");
      case EXTERNAL -> "waits to be completed from outside";
      case OPEN -> "has begun";
    };
  }

  private static String ready(TaskView task, Served served) {
    var queue = task.task().queue();
    var name = task.task().name();
    var since = task.task().visibleAt();
    if (!served.hasQueue(queue)) {
      var missing = new Unserved(Unserved.Kind.WORKER, queue, "", since);
      return "waits on queue '%s', which nobody serves: %s".formatted(queue, missing.remedy());
    }
    if (!served.has(queue, name)) {
      var missing = new Unserved(Unserved.Kind.CODE, queue, name, since);
      return "waits on queue '%s', of which no worker has it: %s"
          .formatted(queue, missing.remedy());
    }
    return "waits on queue '%s' for a worker".formatted(queue);
  }

  private static String heartbeat(TaskView task) {
    if (task.heartbeat() == null || task.heartbeatAt() == null) {
      return task.leaseUntil() == null ? "" : " since " + task.leaseUntil().minus(task.lease());
    }
    var text = new String(task.heartbeat(), StandardCharsets.UTF_8);
    var shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    return ", heartbeat %s at %s".formatted(shown, task.heartbeatAt());
  }
}
