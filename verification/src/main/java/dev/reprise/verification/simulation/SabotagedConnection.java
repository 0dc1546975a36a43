package dev.reprise.verification.simulation;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Accept;
import dev.reprise.engine.store.Transition.Append;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

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
      case ONE_MESSAGE_SPACE -> inOneSpace(batch);
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

  /** Says that all is stored, and leaves out what has the message id of something else. */
  private List<Outcome> inOneSpace(Batch batch) {
    var stored = new ArrayList<Transition>();
    for (var transition : batch.transitions()) if (!isUsed(transition)) stored.add(transition);
    var outcomes =
        super.commit(new Batch(batch.node(), batch.sequence(), stored, batch.renews())).iterator();
    return batch.transitions().stream()
        .map(transition -> stored.contains(transition) ? outcomes.next() : Outcome.STORED)
        .toList();
  }

  private boolean isUsed(Transition transition) {
    if (!(transition instanceof Accept(var input))) return false;
    boolean isSignal = input.kind() == InputRow.Kind.SIGNAL;
    if (!isSignal && input.kind() != InputRow.Kind.UPDATE) return false;
    return database().history(input.run()).stream()
        .map(row -> row.recorded().event())
        .filter(event -> input.message().equals(event.message()))
        .anyMatch(event -> event instanceof Event.SignalReceived != isSignal);
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
    return switch (sabotage) {
      case FIRE_TIMERS_EARLY -> () -> database().now().plusNanos(AHEAD);
      case READ_CLOCKS_IN_THE_WRONG_ORDER -> inTheWrongOrder(super.clock());
      default -> super.clock();
    };
  }

  /** What the process reads of its own clock next is from before the first reading of this one. */
  private InstantSource inTheWrongOrder(InstantSource clock) {
    var isFirst = new AtomicBoolean(true);
    return () -> {
      if (!isFirst.getAndSet(false)) return clock.instant();
      long before = process().nanoTime();
      var time = clock.instant();
      process().answerNext(before);
      return time;
    };
  }
}
