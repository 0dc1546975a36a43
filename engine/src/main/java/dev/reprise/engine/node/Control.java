package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.Texts;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.decide.Input;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.journal.Journal;
import dev.reprise.engine.replay.Farewell;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.Delivery;
import dev.reprise.engine.store.Transition.RunChange;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

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
  private final QueuedRuns queued;

  Control(
      Node node,
      Store store,
      Journal journal,
      Recovery recovery,
      Intake intake,
      QueuedRuns queued) {
    this.node = node;
    this.store = store;
    this.journal = journal;
    this.recovery = recovery;
    this.intake = intake;
    this.queued = queued;
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

  // ---- cancel and terminate ---------------------------------------------------------------------

  /** Asks a run to end; one that has not begun ends at once. */
  public void cancel(String workflowId, String requester, String reason) {
    for (int i = 0; i < MAX_TRIES; i++) {
      node.checkOpen();
      var row = node.inMemory().of(workflowId) == null ? intake.find(workflowId) : null;
      if (row == null || row.status() != Status.QUEUED) {
        var why = Payload.of(Texts.storable(reason).getBytes(StandardCharsets.UTF_8));
        intake.accept(workflowId, Kind.CANCEL, requester, null, why);
        return;
      }
      if (endQueued(row, new Input.CancelSent(requester, reason))) return;
    }
    throw busy(workflowId);
  }

  private boolean endQueued(RunRow row, Input how) {
    return unlessRefused(() -> intake.await(queued.end(row.key(), how)));
  }

  /** Ends a run at once, or as soon as the node that has it hears of it. */
  public void terminate(String workflowId, String requester, String reason, boolean undo) {
    var kind = undo ? Kind.TERMINATE_AND_UNDO : Kind.TERMINATE;
    var why = Payload.of(Texts.storable(reason).getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < MAX_TRIES; i++) {
      node.checkOpen();
      var run = node.inMemory().of(workflowId);
      if (run != null && intake.isTaken(run, kind, requester, null, why)) return;
      var row = intake.find(workflowId);
      if (row.status() == Status.TERMINATED) return;
      if (row.status().isClosed()) throw Intake.closedRun(workflowId);
      var input = new Input.TerminateSent(requester, reason, undo);
      boolean done =
          switch (row.status()) {
            case QUEUED -> endQueued(row, input);
            case BLOCKED, COMPENSATION_FAILED -> endHeld(row, input);
            default -> intake.isStored(row, kind, requester, node.newId().toString(), why);
          };
      if (done) return;
    }
    throw busy(workflowId);
  }

  /** Nobody has a held run in memory, and what it did is in its history. */
  private boolean endHeld(RunRow row, Input.TerminateSent input) {
    var history = node.read(() -> recovery.history(row.key()));
    var inputs = node.read(() -> store.inputs(row.key()));
    var state = input.undo() ? folded(history) : foldedToTheDamage(history);
    var at = later(history.isEmpty() ? node.now() : history.getLast().at());
    Optional<Event> decided = Decider.decide(state, input, at);
    if (decided.isEmpty()) return isResumed(row, input.requester()); // undoing goes on
    int index = history.isEmpty() ? 1 : history.getLast().index() + 1;
    var event = new Recorded(index, at, null, decided.get());
    boolean ends = event.event().isTerminal();
    if (ends) startChildren(row, state);
    var farewell = ends ? Farewell.of(row, state, event) : List.<Delivery>of();
    boolean stored =
        isStored(
            new Append(
                row.key(),
                List.of(EventRow.of(event)),
                ends ? inputs.stream().map(InputRow::id).toList() : List.of(),
                ends
                    ? new RunChange.Close(Status.TERMINATED, event.at())
                    : new RunChange.Compensate(event.at()),
                farewell,
                null,
                List.of(),
                openTasks(state)));
    if (stored) node.queues().cancelled();
    if (stored && ends) intake.delivered(farewell);
    else if (stored) recovery.soon();
    return stored;
  }

  /** A child that the history has may not have begun yet, if the run was held soon after. */
  private void startChildren(RunRow row, RunState state) {
    for (var child : state.life().childrenInOrder()) {
      var _ = intake.await(intake.startChild(row, child, null));
    }
  }

  private static RunState folded(List<EventRow> history) {
    var state = RunState.empty();
    for (var event : history) state = state.apply(event.recorded());
    return state;
  }

  /**
   * A damaged run can be ended, or it would be held for ever. What it asked of others behind the
   * damage is not known, and nobody tells them.
   */
  private static RunState foldedToTheDamage(List<EventRow> history) {
    var state = RunState.empty();
    for (var event : history) {
      if (event.damaged() || event.index() != state.size() + 1) break;
      state = state.apply(event.recorded());
    }
    return state;
  }

  /** Nobody is left who would want what its activities on queues bring. */
  private static List<Integer> openTasks(RunState state) {
    var indexes = new ArrayList<Integer>();
    state.life().tasks().forEach((_, task) -> indexes.add(task.index()));
    return indexes;
  }

  /** Whether it was stored; not if somebody else has done something with the run. */
  private boolean isStored(Transition transition) {
    return unlessRefused(() -> intake.await(journal.appendCall(transition)) == Outcome.STORED);
  }

  private static boolean unlessRefused(BooleanSupplier writing) {
    try {
      return writing.getAsBoolean();
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
