package dev.reprise.engine.replay;

import dev.reprise.engine.decide.Command;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.replay.Baton.Message;
import dev.reprise.engine.replay.RunPort.End;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a run leaves memory: closed, blocked, released, or lost.
 *
 * <p>In each case but the last, one more transition is written first, and the run is gone when that
 * is durable; until then nothing of it moves, and what arrives is put aside. The store refuses to
 * close a run for which it has accepted inputs: these go into the history first, then the end is
 * tried again.
 *
 * <p>Belongs to whoever holds the baton.
 */
final class Ending {
  private final Stage stage;
  private final Outbox outbox;
  private final Baton baton;
  private final Runnable refused;
  private final Consumer<End> gone;
  private final List<Message> deferred = new ArrayList<>(0);
  private boolean underWay;
  private @Nullable Command how; // the code ended
  private RunState before = RunState.empty();

  /**
   * @param refused called when inputs wait in the store: they have to be fetched
   * @param gone called when the run has left memory
   */
  Ending(Stage stage, Outbox outbox, Baton baton, Runnable refused, Consumer<End> gone) {
    this.stage = stage;
    this.outbox = outbox;
    this.baton = baton;
    this.refused = refused;
    this.gone = gone;
  }

  /** Whether the last transition is on its way to the disk. */
  boolean isUnderWay() {
    return underWay;
  }

  /** Whether the code has ended: only inputs go into the history any more. */
  boolean hasCodeEnded() {
    return how != null;
  }

  /** Puts a message aside until it is known whether the run is gone. */
  void defer(Message message) {
    deferred.add(message);
  }

  void repostDeferred() {
    deferred.forEach(baton::post);
    deferred.clear();
  }

  // ---- the ways to end --------------------------------------------------------------------------

  /** The code has ended. */
  void close(Command as, String what) {
    if (stage.isDead()) return; // it swallowed the sentinel; what it returns is thrown away
    stage.passInputs();
    before = stage.state();
    stage.record(as, what, null);
    how = as;
    close();
  }

  /** The inputs that were in the way of the end are in the history. */
  void closeAgain(Instant now) {
    before = stage.state();
    stage.append(Decider.decide(Objects.requireNonNull(how), now), null, now);
    close();
  }

  private void close() {
    underWay = true;
    stage.leave();
    var state = stage.state();
    var event = Decider.decide(Objects.requireNonNull(how), state.now());
    var terminal = new Recorded(state.size(), state.now(), null, event);
    outbox
        .flush(new RunChange.Close(state.status(), state.now()))
        .onDone((outcome, failure) -> internally(() -> closed(terminal, outcome, failure)));
  }

  private void closed(
      Recorded terminal, @Nullable Outcome outcome, @Nullable RuntimeException failure) {
    if (failure != null) {
      die(new End.Lost(failure));
    } else if (outcome == Outcome.INPUTS_WAITING) {
      reopen();
    } else {
      die(new End.Closed(terminal));
    }
  }

  private void reopen() {
    underWay = false;
    outbox.reopen();
    stage.rewind(before);
    refused.run();
    repostDeferred();
  }

  /** The code and the history disagree, or the code made a mistake. */
  void block(String reason) {
    if (stage.isDead() || underWay) return;
    leave(new RunChange.Block(reason), new End.Blocked(reason));
  }

  /** The store keeps the run, for this node or another; it is due then. */
  void release(@Nullable Instant due) {
    if (underWay) return;
    leave(new RunChange.Release(due), new End.Released());
  }

  private void leave(RunChange change, End as) {
    underWay = true;
    stage.leave();
    outbox
        .flush(change)
        .onDone(
            (_, failure) -> internally(() -> die(failure == null ? as : new End.Lost(failure))));
  }

  /** What the run recorded last is not durable: only the store has the truth. */
  void lose(RuntimeException why) {
    die(new End.Lost(why));
  }

  private void die(End as) {
    if (stage.isDead()) return;
    stage.die();
    if (as instanceof End.Lost(var why)) outbox.lose(why);
    deferred.forEach(Message::refuse);
    deferred.clear();
    gone.accept(as);
  }

  private void internally(Runnable handling) {
    baton.post(Message.internal(handling, () -> {}));
  }
}
