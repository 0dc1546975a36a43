package dev.reprise.engine.store;

import dev.reprise.QueueDescription;
import dev.reprise.engine.store.TaskStore.QueueCount;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/** Shows the queues of a store to people and tools. */
public final class QueueView {
  private QueueView() {}

  /** The queues on which something is, that have limits, or that somebody serves, by name. */
  public static List<QueueDescription> of(Store store, Instant now) {
    var workers = workers(store, now);
    var counts = new TreeMap<String, QueueCount>();
    for (var worker : workers) counts.put(worker.queue(), nothingOn(worker.queue()));
    for (var count : store.tasks().count(null)) counts.put(count.queue(), count);
    counts.remove(""); // runs that wait for their time only
    return counts.values().stream().map(count -> of(store, count, workers)).toList();
  }

  /** One queue, which need not be there. */
  public static QueueDescription of(Store store, String queue, Instant now) {
    return of(store, store.tasks().count(queue).getFirst(), workers(store, now));
  }

  private static QueueCount nothingOn(String queue) {
    return new QueueCount(queue, 0, 0, 0, 0, 0, null);
  }

  private static List<WorkerRow> workers(Store store, Instant now) {
    return store.tasks().workers(now.minus(TaskStore.WORKER_SILENCE));
  }

  private static QueueDescription of(Store store, QueueCount count, List<WorkerRow> workers) {
    var serving =
        workers.stream()
            .filter(row -> row.queue().equals(count.queue()))
            .map(row -> new QueueDescription.Worker(row.host(), row.concurrency(), row.seenAt()))
            .toList();
    return new QueueDescription(
        count.queue(),
        count.ready(),
        count.delayed(),
        count.leased() + count.open(),
        count.external(),
        count.oldest(),
        store.tasks().limits(count.queue()),
        serving);
  }
}
