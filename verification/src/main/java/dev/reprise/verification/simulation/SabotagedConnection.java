package dev.reprise.verification.simulation;

import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Accept;
import dev.reprise.engine.store.Transition.Append;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;

/** A connection with one bug in what it sends or answers. */
final class SabotagedConnection extends Connection {
  private static final long A_MOMENT = 20_000_000; // nanoseconds
  private static final long AHEAD = 300_000_000;

  private final Sabotage sabotage;
  private int sent;

  private SabotagedConnection(
      SimulatedProcess process, Database database, Plan plan, Hints hints, Sabotage sabotage) {
    super(process, database, plan, hints);
    this.sabotage = sabotage;
  }

  static Connection of(
      SimulatedProcess process, Database database, Plan plan, Hints hints, Sabotage sabotage) {
    return sabotage == Sabotage.NONE
        ? new Connection(process, database, plan, hints)
        : new SabotagedConnection(process, database, plan, hints, sabotage);
  }

  @Override
  public List<Outcome> commit(Batch batch) {
    return switch (sabotage) {
      case ACKNOWLEDGE_BEFORE_COMMIT -> acknowledged(batch);
      case ANSWER_UNKNOWN_AS_FAILED -> certain(batch);
      case CONSUME_BEFORE_RECORDING -> consumed(batch);
      case FORGET_MESSAGE_IDS, CONTINUE_WITHOUT_MESSAGE_IDS -> super.commit(changed(batch));
      case ANSWER_UPDATES_TOO_SOON ->
          answersUpdate(batch) ? acknowledged(batch) : super.commit(batch);
      default -> super.commit(batch);
    };
  }

  private List<Outcome> acknowledged(Batch batch) {
    var scheduler = database().scheduler();
    scheduler.after(
        scheduler.random().nextLong(A_MOMENT),
        () -> {
          if (!process().isDead() && !database().isDown()) quietly(batch);
        });
    return Collections.nCopies(batch.transitions().size(), Outcome.STORED);
  }

  private static boolean answersUpdate(Batch batch) {
    int code = EventType.UPDATE_COMPLETED.code();
    return batch.transitions().stream()
        .anyMatch(
            transition ->
                transition instanceof Append append
                    && append.events().stream().anyMatch(event -> event.type() == code));
  }

  private void quietly(Batch batch) {
    try {
      database().commit(batch);
    } catch (Fenced fenced) {
      return; // nobody is there to be told
    }
  }

  private List<Outcome> certain(Batch batch) {
    try {
      return super.commit(batch);
    } catch (StoreUnavailable unknown) {
      throw new TransitionRefused("rolled back", unknown);
    }
  }

  private List<Outcome> consumed(Batch batch) {
    call(
        () -> {
          ((SabotagedDatabase) database()).consume(batch);
          return true;
        },
        _ -> {});
    return super.commit(batch);
  }

  private Batch changed(Batch batch) {
    var transitions = batch.transitions().stream().map(this::changed).toList();
    return new Batch(batch.node(), batch.sequence(), transitions, batch.renews());
  }

  private Transition changed(Transition transition) {
    if (sabotage == Sabotage.CONTINUE_WITHOUT_MESSAGE_IDS) {
      return transition instanceof Append append ? Families.withoutMessageIds(append) : transition;
    }
    if (!(transition instanceof Accept(var input))) return transition;
    return new Accept(
        new InputRow(
            input.id(),
            input.run(),
            input.kind(),
            input.name(),
            input.message() + "/" + process() + sent++,
            input.value(),
            input.acceptedAt()));
  }

  @Override
  public InstantSource clock() {
    if (sabotage != Sabotage.FIRE_TIMERS_EARLY) return super.clock();
    return () -> database().now().plusNanos(AHEAD);
  }
}
