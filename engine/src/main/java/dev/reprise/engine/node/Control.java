package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.decide.Input;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.journal.Journal;
import dev.reprise.engine.replay.Farewell;
import dev.reprise.engine.replay.LiveRun.Reply;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What people do to runs from outside of their code: end them at once, let held ones go on. A run
 * that is held is nobody's, so any node may write to it; of two who do, one is refused and looks
 * again.
 */
public final class Control {
  private static final int MAX_TRIES = 20; // each means that somebody else did something meanwhile

  private final Node node;
  private final Store store;
  private final Journal journal;
  private final Recovery recovery;
  private final Intake intake;

  Control(Node node, Store store, Journal journal, Recovery recovery, Intake intake) {
    this.node = node;
    this.store = store;
    this.journal = journal;
    this.recovery = recovery;
    this.intake = intake;
  }

  // ---- resume -----------------------------------------------------------------------------------

  /** Lets a held run go on. Says whether it was held. */
  public boolean resume(String workflowId, String requester) {
    for (int i = 0; i < MAX_TRIES; i++) {
      node.checkOpen();
      var row = intake.find(workflowId);
      if (row.status().isClosed()) throw Intake.closedRun(workflowId);
      if (!row.status().isHeld()) return false;
      if (isResumed(row, requester)) return true;
    }
    throw busy(workflowId);
  }

  private boolean isResumed(RunRow row, String requester) {
    boolean resumed = resumed(row, requester);
    if (resumed) {
      recovery.soon();
      store.wakeups().due();
    }
    return resumed;
  }

  private boolean resumed(RunRow row, String requester) {
    var last = node.read(() -> store.lastEvent(row.key())).orElseThrow();
    var hash = node.known(row.workflow()).map(WorkflowDefinition::hash).orElse(null);
    var at = later(last.at());
    var event =
        new Recorded(last.index() + 1, at, null, new Event.WorkflowResumed(requester, hash));
    return isStored(
        new Append(
            row.key(), List.of(EventRow.of(event)), List.of(), new RunChange.Unblock(node.now())));
  }

  // ---- terminate --------------------------------------------------------------------------------

  /** Ends a run at once, or as soon as the node that has it hears of it. */
  public void terminate(String workflowId, String requester, String reason, boolean undo) {
    var kind = undo ? Kind.TERMINATE_AND_UNDO : Kind.TERMINATE;
    var why = Payload.of(reason.getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < MAX_TRIES; i++) {
      node.checkOpen();
      var run = node.inMemory().of(workflowId);
      if (run != null && intake.await(run.accept(kind, requester, null, why)) == Reply.ACCEPTED) {
        return;
      }
      var row = intake.find(workflowId);
      if (row.status() == Status.TERMINATED) return;
      if (row.status().isClosed()) throw Intake.closedRun(workflowId);
      boolean done =
          row.status().isHeld()
              ? endHeld(row, new Input.TerminateSent(requester, reason, undo))
              : intake.isStored(row, kind, requester, node.newId().toString(), why);
      if (done) return;
    }
    throw busy(workflowId);
  }

  /** Nobody has a held run in memory, and what it did is in its history. */
  private boolean endHeld(RunRow row, Input.TerminateSent input) {
    var history = node.read(() -> recovery.history(row.key()));
    var inputs = node.read(() -> store.inputs(row.key()));
    var state = RunState.empty();
    for (var event : history) state = state.apply(event.recorded());
    Optional<Event> decided = Decider.decide(state, input, later(state.now()));
    if (decided.isEmpty()) return isResumed(row, input.requester()); // undoing goes on
    var event = new Recorded(state.size() + 1, later(state.now()), null, decided.get());
    var rows = List.of(EventRow.of(event));
    if (!event.event().isTerminal()) {
      boolean stored =
          isStored(new Append(row.key(), rows, List.of(), new RunChange.Compensate(event.at())));
      if (stored) recovery.soon();
      return stored;
    }
    var farewell = Farewell.of(row, state, event);
    boolean closed =
        isStored(
            new Append(
                row.key(),
                rows,
                inputs.stream().map(InputRow::id).toList(),
                new RunChange.Close(Status.TERMINATED, event.at()),
                farewell,
                null));
    if (closed) intake.delivered(farewell);
    return closed;
  }

  /** Whether it was stored; not if somebody else has done something with the run. */
  private boolean isStored(Transition transition) {
    try {
      return intake.await(journal.append(transition)) == Outcome.STORED;
    } catch (RepriseException e) {
      if (e.code() == ErrorCode.R121) return false;
      throw e;
    }
  }

  private Instant later(Instant than) {
    var now = node.now();
    return now.isBefore(than) ? than : now;
  }

  private static RepriseException busy(String workflowId) {
    return new RepriseException(
        ErrorCode.R123,
        "workflow '%s' changes all the time: nothing was done, call again".formatted(workflowId));
  }
}
