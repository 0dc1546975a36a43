package dev.reprise.verification.bench;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import dev.reprise.testkit.ForwardingStore;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Knows when what a run has put on a queue was durable. */
final class DurableTasks extends ForwardingStore {
  private final ConcurrentMap<Long, Long> micros = new ConcurrentHashMap<>();
  private volatile boolean watching;

  DurableTasks(Store store) {
    super(store);
  }

  /** Whether it looks from now on. */
  void watch(boolean looks) {
    watching = looks;
  }

  @Override
  public List<Outcome> commit(Batch batch) {
    var outcomes = super.commit(batch);
    if (!watching) return outcomes;
    long now = QueuedWorkflows.micros();
    for (var transition : batch.transitions()) {
      if (transition instanceof Transition.Append append && !append.tasks().isEmpty()) {
        micros.put(append.run(), now);
      }
    }
    return outcomes;
  }

  /** When the first task of a run was durable. */
  long since(String workflowId) {
    var row = find(workflowId).orElseThrow();
    var at = micros.get(row.key());
    if (at == null) throw new IllegalStateException(workflowId + " has put nothing on a queue");
    return at;
  }
}
