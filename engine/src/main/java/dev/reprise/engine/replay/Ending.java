package dev.reprise.engine.replay;

import static java.util.Collections.emptyList;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.replay.Baton.Message;
import dev.reprise.engine.replay.RunPort.End;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a run leaves memory: closed, continued, to be undone, blocked, released, or lost.
 *
 * <p>In each case but the last, one more transition is written first, and the run is gone when that
 * is durable; until then nothing of it moves, and what arrives is put aside. The store refuses to
 * close a run for which it has accepted inputs: these go into the history first, then the end is
 * tried again. A run that is continued leaves them to the new one.
 *
 * <p>Belongs to whoever holds the baton.
 */
final class Ending {
  private final RunRow row;
  private final Stage stage;
  private final Outbox outbox;
  private final Baton baton;
  private final Runnable refused;
  private final Consumer<End> gone;
  private List<Message> deferred = emptyList();
  private boolean underWay;
  private @Nullable Command how; // the code ended
  private @Nullable Continuation continuation; // with which the workflow goes on
  private RunState before = RunState.empty();

  /**
   * @param refused called when inputs wait in the store: they have to be fetched
   * @param gone called when the run has left memory
   */
  Ending(
      RunRow row, Stage stage, Outbox outbox, Baton baton, Runnable refused, Consumer<End> gone) {
    this.row = row;
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

  /** Whether the workflow goes on with another run: not even inputs go into the history then. */
  @Nullable Continuation continuation() {
    return continuation;
  }

  /** Puts a message aside until it is known whether the run is gone. */
  void defer(Message message) {
    deferred = Sparse.add(deferred, message);
  }

  void repostDeferred() {
    deferred.forEach(baton::post);
    deferred.clear();
  }

  // ---- the ways to end --------------------------------------------------------------------------

  /** The code has ended. */
  void close(Command as, String what) {
    if (stage.cast().isDead()) return; // it swallowed the sentinel; what it returns is thrown away
    stage.passInputs();
    stage.noteCode(); // it stays if the end is refused
    before = stage.state();
    stage.record(as, what, null);
    how = as;
    close();
  }

  /** The code has ended, and something has to be done before the run does. */
  void closeLater(Command as) {
    if (stage.cast().isDead()) return;
    how = as;
  }

  /** The code has ended, and the workflow goes on with another run when that is known. */
  void continueLater(Continuation with) {
    if (stage.cast().isDead()) return;
    continuation = with;
    how = new Command.ContinueAsNew(row.runId()); // the id of the new one comes later
  }

  /** Nothing is in the way of the end any more. */
  void closeAgain(Instant now) {
    if (continuation != null) {
      how = new Command.ContinueAsNew(Objects.requireNonNull(continuation.next()).runId());
    }
    stage.noteCode();
    before = stage.state();
    stage.append(Decider.decide(Objects.requireNonNull(how), now), null, now);
    close();
  }

  private void close() {
    underWay = true;
    stage.cast().leave();
    var state = stage.state();
    var event = Decider.decide(Objects.requireNonNull(how), state.now());
    var terminal = new Recorded(state.size(), state.now(), null, event);
    outbox
        .flushEnd(change(terminal), Farewell.of(row, state, terminal))
        .onDone((outcome, failure) -> internally(() -> closed(terminal, outcome, failure)));
  }

  private RunChange change(Recorded terminal) {
    var next = continuation == null ? null : continuation.next();
    if (next == null) return new RunChange.Close(stage.state().status(), terminal.at());
    var signals = stage.waits().signals().unreceived();
    return Objects.requireNonNull(continuation).change(next, before, signals, terminal.at());
  }

  private void closed(
      Recorded terminal, @Nullable Outcome outcome, @Nullable RuntimeException failure) {
    if (failure != null) {
      die(new End.Lost(failure));
    } else if (outcome == Outcome.INPUTS_WAITING) {
      reopen();
    } else {
      die(
          terminal.event() instanceof Event.WorkflowContinuedAsNew
              ? continued(terminal)
              : new End.Closed(terminal));
    }
  }

  /** A rehearsal knows nothing of the run that came next. */
  private End continued(Recorded terminal) {
    return change(terminal) instanceof RunChange.Continue(var next, var events, _)
        ? new End.Continued(terminal, next, events)
        : new End.Closed(terminal);
  }

  private void reopen() {
    underWay = false;
    outbox.reopen();
    stage.rewind(before);
    if (continuation != null) return;
    refused.run();
    repostDeferred();
  }

  /** The code has ended without success: what it did is to be undone, without it. */
  void undo(Command.Undo command, String what) {
    if (stage.cast().isDead() || underWay) return;
    stage.passInputs();
    stage.record(command, what, null);
    leave(new RunChange.Compensate(stage.state().now()), new End.Undoing());
  }

  /** It was decided from outside that everything is to be undone. */
  void undo() {
    leave(new RunChange.Compensate(stage.state().now()), new End.Undoing());
  }

  /** The code and the history disagree, or the code made a mistake. */
  void block(String reason) {
    if (stage.cast().isDead() || underWay) return;
    leave(new RunChange.Block(reason), new End.Blocked(reason));
  }

  /** The store keeps the run, for this node or another; it is due then. */
  void release(@Nullable Instant due) {
    if (underWay) return;
    leave(new RunChange.Release(due), new End.Released());
  }

  private void leave(RunChange change, End as) {
    underWay = true;
    stage.cast().leave();
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
    if (stage.cast().isDead()) return;
    stage.cast().die();
    if (as instanceof End.Lost(var why)) outbox.lose(underWay ? inDoubt(why) : why);
    if (!(as instanceof End.Closed)) outbox.loseEnd();
    deferred.forEach(Message::refuse);
    deferred.clear();
    gone.accept(as);
  }

  /** What came in with the end is on its way to the store, and may be there. */
  private static RuntimeException inDoubt(RuntimeException why) {
    return new RepriseException(
        ErrorCode.R123,
        "the workflow's end was being stored when its engine lost it. It is not known whether the"
            + " call took effect: call again, a signal with the same message id",
        why);
  }

  private void internally(Runnable handling) {
    baton.post(Message.internal(handling, () -> {}));
  }
}
