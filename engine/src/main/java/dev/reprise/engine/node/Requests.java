package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.HandlerFailed;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.Waiting;
import dev.reprise.WorkflowBlocked;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.replay.Rehearsal;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.QueuedWait;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.TaskNotes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Questions and requests that the code of a run answers, here or wherever it is. */
final class Requests {
  private static final Duration SHORTEST = Duration.ofMillis(5); // between two looks at a history
  private static final Duration LONGEST = Duration.ofMillis(500);
  private static final int PAGE = 1_000;

  private final Node node;
  private final Store store;
  private final Recovery recovery;
  private final Intake intake;

  Requests(Node node, Store store, Recovery recovery, Intake intake) {
    this.node = node;
    this.store = store;
    this.recovery = recovery;
    this.intake = intake;
  }

  // ---- queries ----------------------------------------------------------------------------------

  /** Asks the run in memory, or its code run along its history. */
  Payload query(String workflowId, String query, Payload argument) {
    var run = node.inMemory().of(workflowId);
    if (run != null) {
      var answer = intake.await(run.query(query, argument));
      if (answer.isPresent()) return answer.get();
    }
    var row = intake.find(workflowId);
    node.definition(row.workflow());
    if (row.status() == Status.QUEUED) throw notBegun(row, query);
    try {
      return rehearsal(row).query(query, argument, node.callTimeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RepriseException(ErrorCode.R123, "interrupted while asking " + workflowId, e);
    }
  }

  private static RepriseException notBegun(RunRow row, String query) {
    return new RepriseException(
        ErrorCode.R127,
        "workflow '%s' has not begun, and answers the query '%s' only then: describe it to see what"
                .formatted(row.workflowId(), query)
            + " it waits for");
  }

  private Rehearsal rehearsal(RunRow row) {
    var history = node.read(() -> Rehearsal.played(store, row));
    var definition = node.definition(row.workflow());
    return new Rehearsal(row, history, definition, node.runSettings());
  }

  /** What the branches of a run wait for; as much as can be known of it here. */
  List<Waiting> waitingFor(RunRow row) {
    if (row.status().isClosed()) return List.of();
    var waits = waits(row);
    return node.read(() -> new TaskNotes(store, node.now()).annotated(row, waits));
  }

  private List<Waiting> waits(RunRow row) {
    var run = node.inMemory().of(row.key());
    if (run != null) {
      var waits = intake.await(run.waitingFor());
      if (!waits.isEmpty()) return waits;
    }
    return switch (row.status()) {
      case COMPENSATING, COMPENSATION_FAILED -> toUndo(row);
      case RUNNING -> rehearsed(row);
      case QUEUED -> node.read(() -> QueuedWait.of(store, row, node.now()));
      default -> List.of();
    };
  }

  private List<Waiting> rehearsed(RunRow row) {
    if (node.known(row.workflow()).isEmpty()) return List.of();
    try {
      var rehearsal = rehearsal(row);
      rehearsal.play(node.callTimeout());
      return rehearsal.waits();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private List<Waiting> toUndo(RunRow row) {
    var state = RunState.empty();
    var failures = new HashMap<String, FailureInfo>();
    for (var event : node.read(() -> recovery.history(row.key()))) {
      var recorded = event.recorded();
      state = state.apply(recorded);
      switch (recorded.event()) {
        case Event.ActivityRetryScheduled retry -> failures.put(retry.call().id(), retry.failure());
        case Event.CompensationFailed failed -> failures.put(failed.call().id(), failed.failure());
        default -> {}
      }
    }
    var waiting = new ArrayList<Waiting>();
    for (var undo : state.life().notUndone()) {
      var retry = state.retries().get(undo.call().id());
      waiting.add(
          new Waiting(
              Waiting.Kind.COMPENSATION,
              undo.call().id(),
              "activity " + undo.call().name(),
              null,
              retry == null ? null : retry.due(),
              state.failedAttempts(undo.call().id()) + 1,
              failures.get(undo.call().id())));
    }
    return waiting;
  }

  // ---- updates ----------------------------------------------------------------------------------

  /** Sends a request and waits for the answer, wherever the run is. */
  Payload update(String workflowId, String update, Payload argument, String message) {
    node.checkOpen();
    var run = node.inMemory().of(workflowId);
    if (run != null) {
      var answer = await(run, update, argument, message);
      if (answer.isPresent()) return answered(update, answer.get());
    }
    var row = intake.find(workflowId);
    var known = firstLook(row, update, message);
    if (known.event() != null) return answered(update, known.event());
    if (row.status().isHeld()) throw held(row);
    intake.accept(workflowId, Kind.UPDATE, update, message, argument);
    return awaitAnswer(workflowId, update, message);
  }

  private Optional<Event> await(LiveRun run, String update, Payload argument, String message) {
    return intake.awaitForever(run.update(update, argument, message));
  }

  /** The run is elsewhere: its history tells. */
  private Payload awaitAnswer(String workflowId, String update, String message) {
    long pause = SHORTEST.toNanos();
    int from = 1;
    long key = 0;
    for (; ; ) {
      node.checkOpen();
      var row = intake.find(workflowId);
      boolean first = row.key() != key; // or it went on with another run
      key = row.key();
      var known = first ? firstLook(row, update, message) : answer(row, from, message);
      if (known.event() != null) return answered(update, known.event());
      if (row.status().isClosed()) throw unanswered(workflowId, update);
      if (row.status().isHeld()) throw held(row);
      from = known.next();
      node.machine().park(this, pause);
      pause = Math.min(2 * pause, LONGEST.toNanos());
    }
  }

  private record Answer(@Nullable Event event, int next) {}

  /** What a run has, or those before it that have taken the request in. */
  private Answer firstLook(RunRow row, String update, String message) {
    var here = answer(row, 1, message);
    var origin = intake.started(row).origin();
    if (here.event() != null || !origin.goesOn() || origin.lineage() == null) return here;
    if (!origin.lineage().taken().contains(message)) return here;
    for (var earlier : node.read(() -> store.runsOf(row.workflowId()))) {
      var there = answer(earlier, 1, message);
      if (there.event() != null) return there;
    }
    throw unanswered(row.workflowId(), update); // its handler went with the run that had it
  }

  private Answer answer(RunRow row, int from, String message) {
    int next = from;
    List<EventRow> page;
    do {
      int first = next;
      page = node.read(() -> store.history(row.key(), first, PAGE));
      for (var event : page) {
        next = event.index() + 1;
        if (isAnswer(event, message)) return new Answer(event.recorded().event(), next);
      }
    } while (page.size() == PAGE);
    return new Answer(null, next);
  }

  private static boolean isAnswer(EventRow row, String message) {
    return switch (EventType.of(row.type())) {
      case UPDATE_COMPLETED, UPDATE_FAILED -> row.recorded().event().subject().equals(message);
      case UPDATE_REFUSED -> message.equals(row.recorded().event().message());
      default -> false;
    };
  }

  private static Payload answered(String update, Event answer) {
    return switch (answer) {
      case Event.UpdateCompleted(_, var result) -> result;
      case Event.UpdateFailed(_, var failure) ->
          throw new HandlerFailed("update '" + update + "'", failure);
      case Event.UpdateRefused(_, _, var code, var reason) ->
          throw new RepriseException(code, plain(code, reason));
      case Event other -> throw new IllegalStateException("not an answer: " + other);
    };
  }

  /** Without what the exception is going to add again. */
  private static String plain(ErrorCode code, String reason) {
    var text = reason.startsWith(code + " ") ? reason.substring(code.name().length() + 1) : reason;
    var docs = " (see " + code.docs() + ")";
    return text.endsWith(docs) ? text.substring(0, text.length() - docs.length()) : text;
  }

  private static WorkflowBlocked held(RunRow row) {
    return new WorkflowBlocked(row.workflowId(), String.valueOf(row.blockedBy()));
  }

  private static RepriseException unanswered(String workflowId, String update) {
    return new RepriseException(
        ErrorCode.R114,
        "workflow '%s' ended before it answered the update '%s'".formatted(workflowId, update));
  }
}
