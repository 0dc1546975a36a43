package dev.reprise.verification.behaviour;

import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import dev.reprise.testkit.ForwardingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A store that does not answer now and then, and to which others write, as a test wants it. */
final class TroubledStore extends ForwardingStore {
  private long committed; // batches, by the node that has joined
  final AtomicInteger historiesToFail = new AtomicInteger();
  final AtomicInteger inputsToFail = new AtomicInteger();
  final AtomicInteger commitsToFail = new AtomicInteger();

  /** What somebody else writes right before a transition. */
  volatile Function<Transition, List<Transition>> before = _ -> List.of();

  /** What becomes of events that are read. */
  volatile UnaryOperator<EventRow> reading = UnaryOperator.identity();

  TroubledStore(Store store) {
    super(store);
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
    var outcomes = super.commit(new Batch(node, committed + 1, all));
    committed++;
    return outcomes.getLast();
  }

  @Override
  public List<EventRow> history(long run, int fromIndex, int limit) {
    failIfAsked(historiesToFail);
    return super.history(run, fromIndex, limit).stream().map(reading).toList();
  }

  @Override
  public List<InputRow> inputs(long run) {
    failIfAsked(inputsToFail);
    return super.inputs(run);
  }

  @Override
  public void join(Joining node) {
    super.join(node);
    committed = 0;
  }

  @Override
  public boolean isInProcess() {
    return false;
  }
}
