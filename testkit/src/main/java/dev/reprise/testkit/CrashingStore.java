package dev.reprise.testkit;

import dev.reprise.ListQuery;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/**
 * A store whose engine dies at a chosen moment, as by {@code kill -9}: the batch in which the
 * moment falls is committed, and from then on nothing that the engine does reaches the store.
 * Another engine on the same store goes on from there.
 */
public final class CrashingStore implements Store {
  private final Store store;
  private final Predicate<Transition> moment;
  private final CountDownLatch crashed = new CountDownLatch(1);

  /** Crashes right after the first transition that the predicate names is durable. */
  public CrashingStore(Store store, Predicate<Transition> moment) {
    this.store = store;
    this.moment = moment;
  }

  /** Crashes now. */
  public void crash() {
    crashed.countDown();
  }

  public boolean hasCrashed() {
    return crashed.getCount() == 0;
  }

  /** Waits until it has crashed. */
  public void awaitCrash() throws InterruptedException {
    crashed.await();
  }

  /** The batch that holds the moment is stored, but nobody is ever told. */
  @Override
  public List<Outcome> commit(Batch batch) {
    if (hasCrashed()) throw new Fenced("crashed");
    var outcomes = store.commit(batch);
    if (batch.transitions().stream().anyMatch(moment)) {
      crash();
      throw new Fenced("crashed");
    }
    return outcomes;
  }

  @Override
  public void join(UUID node, String host) {
    store.join(node, host);
  }

  @Override
  public void leave(UUID node) {
    if (!hasCrashed()) store.leave(node);
  }

  @Override
  public long reserveKeys(int count) {
    return store.reserveKeys(count);
  }

  @Override
  public List<RunRow> claim(Claim claim) {
    return hasCrashed() ? List.of() : store.claim(claim);
  }

  @Override
  public Optional<Instant> nextWake(UUID node) {
    return store.nextWake(node);
  }

  @Override
  public Optional<RunRow> find(String workflowId) {
    return store.find(workflowId);
  }

  @Override
  public List<EventRow> history(long run, int fromIndex, int limit) {
    return store.history(run, fromIndex, limit);
  }

  @Override
  public Optional<EventRow> lastEvent(long run) {
    return store.lastEvent(run);
  }

  @Override
  public List<InputRow> inputs(long run) {
    return store.inputs(run);
  }

  @Override
  public List<RunRow> list(ListQuery query) {
    return store.list(query);
  }

  @Override
  public boolean isInProcess() {
    return store.isInProcess();
  }

  /** The engine goes, the store stays. */
  @Override
  public void close() {}
}
