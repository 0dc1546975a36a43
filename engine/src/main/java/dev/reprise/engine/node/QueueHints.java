package dev.reprise.engine.node;

import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.task.Workers;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What a node tells workers, and workers tell the node: hints, which may be lost. */
final class QueueHints {
  private static final Duration BETWEEN = Duration.ofMillis(100); // looks for runs that are nowhere

  private final Machine machine;
  private final Store store;
  private final @Nullable Workers workers;
  private final RunsInMemory runs;
  private final Runnable lookForDue;
  private final AtomicLong lastDue = new AtomicLong(Long.MIN_VALUE / 2);

  QueueHints(
      Machine machine,
      Store store,
      @Nullable Workers workers,
      RunsInMemory runs,
      Runnable lookForDue) {
    this.machine = machine;
    this.store = store;
    this.workers = workers;
    this.runs = runs;
    this.lookForDue = lookForDue;
  }

  /** Who run what is on queues. */
  Workers workers() {
    return Objects.requireNonNull(workers);
  }

  /** Something was put on a queue: whoever serves it may look. */
  void announce(String queue) {
    if (workers != null) workers.announce(queue);
    else store.wakeups().tasksOn(queue);
  }

  /** Something on a queue may be ready for a worker here. */
  void ready(String queue) {
    if (workers != null) workers.ready(queue);
  }

  /** Hints may have been lost. */
  void missed() {
    if (workers != null) workers.missed();
  }

  /** A task is overdue then. */
  void overdueAt(Instant then) {
    if (workers != null) workers.overdueAt(then);
  }

  /** Tasks are not wanted any more. */
  void cancelled() {
    if (workers != null) workers.overdue();
  }

  /** Inputs wait for these runs, which may be in memory here or elsewhere, or nowhere. */
  void told(Collection<Long> keys) {
    boolean elsewhere = false;
    for (long key : keys) {
      var run = runs.of(key);
      if (run != null) {
        run.fetchInputs();
      } else {
        elsewhere = true;
        store.wakeups().inputsFor(key);
      }
    }
    if (elsewhere) mayBeDue();
  }

  /**
   * Of runs that are told something most are in memory somewhere; those that are nowhere are looked
   * for by all, and that must not happen each time.
   */
  private void mayBeDue() {
    long now = machine.nanoTime();
    long last = lastDue.get();
    if (now - last < BETWEEN.toNanos() || !lastDue.compareAndSet(last, now)) return;
    lookForDue.run();
    store.wakeups().due();
  }
}
