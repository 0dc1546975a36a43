package dev.reprise.engine.store;

import dev.reprise.Waiting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What a run waits for that has not begun, for people. */
public final class QueuedWait {
  private QueuedWait() {}

  /** Nothing if it begins at this moment. */
  public static List<Waiting> of(Store store, RunRow row, Instant now) {
    return store
        .tasks()
        .find(TaskRef.ofRun(row.key()))
        .map(task -> List.of(waiting(store, task, now)))
        .orElseGet(List::of);
  }

  private static Waiting waiting(Store store, TaskView task, Instant now) {
    var queue = task.task().queue();
    var visibleAt = task.task().visibleAt();
    var due = visibleAt.isAfter(now) ? visibleAt : null;
    var what = queue.isEmpty() ? "its time to begin" : "its turn on queue '" + queue + "'";
    return new Waiting(Waiting.Kind.QUEUE, "", what, null, due, 0, null, note(store, task, now));
  }

  private static String note(Store store, TaskView task, Instant now) {
    var notes = new ArrayList<String>();
    notes.add("since " + task.scheduledAt());
    if (task.state() == TaskView.State.LEASED) notes.add("taken by " + task.worker());
    var queue = task.task().queue();
    var served = Served.at(store, now);
    var name = task.task().name();
    if (queue.isEmpty()) {
      if (!served.hasWorkflow(name)) notes.add(EngineNotes.missing(name));
    } else {
      if (store.tasks().limits(queue).concurrency() instanceof Integer limit && limit == 0)
        notes.add("the queue is paused");
      if (!served.hasQueue(queue)) {
        var missing = new Unserved(Unserved.Kind.WORKER, queue, "", now);
        notes.add("nobody serves it: " + missing.remedy());
      } else if (!served.has(queue, name)) {
        var missing = new Unserved(Unserved.Kind.CODE, queue, name, now);
        notes.add("no worker of it has %s: %s".formatted(name, missing.remedy()));
      }
    }
    return String.join(", ", notes);
  }
}
