package dev.reprise.verification.behaviour;

import dev.reprise.ListQuery;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A store that does not answer now and then, and to which others write, as a test wants it. */
final class TroubledStore implements Store {
  private final Store store;
  private long committed; // batches, by the node that has joined
  final AtomicInteger historiesToFail = new AtomicInteger();
  final AtomicInteger inputsToFail = new AtomicInteger();
  final AtomicInteger commitsToFail = new AtomicInteger();

  /** What somebody else writes right before a transition. */
  volatile Function<Transition, List<Transition>> before = _ -> List.of();

  /** What becomes of events that are read. */
  volatile UnaryOperator<EventRow> reading = UnaryOperator.identity();

  TroubledStore(Store store) {
    this.store = store;
  }

  private static void failIfAsked(AtomicInteger times) {
    if (times.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw new StoreUnavailable("no answer", new IllegalStateException("trouble"));
    }
  }

  @Override
  public List<Outcome> commit(Batch batch) {
    failIfAsked(commitsToFail);
    return batch.transitions().stream().map(one -> commit(batch.node(), one)).toList();
  }

  /** One by one, so that a crash may fall between any two. */
  private Outcome commit(UUID node, Transition transition) {
    var all = new ArrayList<>(before.apply(transition));
    all.add(transition);
    var outcomes = store.commit(new Batch(node, committed + 1, all));
    committed++;
    return outcomes.getLast();
  }

  @Override
  public List<EventRow> history(long run, int fromIndex, int limit) {
    failIfAsked(historiesToFail);
    return store.history(run, fromIndex, limit).stream().map(reading).toList();
  }

  @Override
  public List<InputRow> inputs(long run) {
    failIfAsked(inputsToFail);
    return store.inputs(run);
  }

  @Override
  public void join(UUID node, String host) {
    store.join(node, host);
    committed = 0;
  }

  @Override
  public void leave(UUID node) {
    store.leave(node);
  }

  @Override
  public long reserveKeys(int count) {
    return store.reserveKeys(count);
  }

  @Override
  public List<RunRow> claim(Claim claim) {
    return store.claim(claim);
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
  public Optional<EventRow> lastEvent(long run) {
    return store.lastEvent(run);
  }

  @Override
  public List<RunRow> list(ListQuery query) {
    return store.list(query);
  }

  @Override
  public void close() {
    store.close();
  }
}
