package dev.reprise.engine.store;

import java.time.Instant;
import java.util.List;

/** Which queues, activities and workflows somebody who lives can run, as far as a store knows. */
public final class Served {
  private final List<WorkerRow> workers;
  private final List<NodeRow> engines;

  private Served(List<WorkerRow> workers, List<NodeRow> engines) {
    this.workers = workers;
    this.engines = engines;
  }

  /** Who is there at that time. */
  public static Served at(Store store, Instant now) {
    return new Served(
        store.tasks().workers(now.minus(TaskStore.WORKER_SILENCE)),
        store.nodes().stream().filter(NodeRow::isEngine).toList());
  }

  /** Whether a worker serves the queue. */
  public boolean hasQueue(String queue) {
    return workers.stream().anyMatch(worker -> worker.queue().equals(queue));
  }

  /** Whether a worker of the queue has the activity, or the workflow that waits there. */
  public boolean has(String queue, String name) {
    if (queue.isEmpty()) return hasWorkflow(name);
    return workers.stream()
        .anyMatch(worker -> worker.queue().equals(queue) && worker.names().contains(name));
  }

  /** Whether an engine can run the workflow, or may: earlier releases do not say what they can. */
  public boolean hasWorkflow(String workflow) {
    return engines.stream()
        .map(NodeRow::workflows)
        .anyMatch(names -> names == null || names.contains(workflow));
  }
}
