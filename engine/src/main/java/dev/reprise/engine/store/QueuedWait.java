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
        .map(task -> List.of(waiting(store.tasks(), task, now)))
        .orElseGet(List::of);
  }

  private static Waiting waiting(TaskStore tasks, TaskView task, Instant now) {
    var queue = task.task().queue();
    var visibleAt = task.task().visibleAt();
    var due = visibleAt.isAfter(now) ? visibleAt : null;
    var what = queue.isEmpty() ? "its time to begin" : "its turn on queue '" + queue + "'";
    return new Waiting(Waiting.Kind.QUEUE, "", what, null, due, 0, null, note(tasks, task, now));
  }

  private static String note(TaskStore tasks, TaskView task, Instant now) {
    var notes = new ArrayList<String>();
    notes.add("since " + task.scheduledAt());
    if (task.state() == TaskView.State.LEASED) notes.add("taken by " + task.worker());
    var queue = task.task().queue();
    if (!queue.isEmpty()) {
      if (tasks.limits(queue).concurrency() instanceof Integer limit && limit == 0)
        notes.add("the queue is paused");
      var workers = tasks.workers(now.minus(TaskStore.WORKER_SILENCE));
      if (workers.stream().noneMatch(worker -> worker.queue().equals(queue))) {
        notes.add("nobody serves it");
      } else if (workers.stream().noneMatch(worker -> hasCode(worker, task))) {
        notes.add("no worker of it has " + task.task().name());
      }
    }
    return String.join(", ", notes);
  }

  private static boolean hasCode(WorkerRow worker, TaskView task) {
    return worker.queue().equals(task.task().queue())
        && worker.names().contains(task.task().name());
  }
}
