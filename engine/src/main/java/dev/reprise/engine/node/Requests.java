package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.HandlerFailed;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.Waiting;
import dev.reprise.WorkflowBlocked;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.MessageKey;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.RunState;
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
import java.util.concurrent.TimeoutException;

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
    var waits = knownWaits(row);
    return node.read(() -> new TaskNotes(store, node.now()).annotated(row, waits));
  }

  /** What cannot be read says nothing of waits; the rest of the description is as good as ever. */
  private List<Waiting> knownWaits(RunRow row) {
    try {
      return waits(row);
    } catch (RepriseException damaged) {
      if (damaged.code() == ErrorCode.R145 || damaged.code() == ErrorCode.R108) return List.of();
      throw damaged;
    }
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

  /**
   * Sends a request and waits for the answer, wherever the run is.
   *
   * @param limit for all of it: to find the run, to store the request, to get the answer
   * @throws RepriseException {@code R123} if there is no answer within that time
   */
  Payload update(String workflowId, MessageKey update, Payload argument, Limit limit) {
    try {
      return ask(workflowId, update, argument, limit);
    } catch (TimeoutException over) {
      throw late(workflowId, update, limit, over);
    } catch (RepriseException e) {
      if (!isSilence(e, limit)) throw e;
      throw late(workflowId, update, limit, e);
    }
  }

  /** Whether the time was over before something was known. */
  private static boolean isSilence(RepriseException e, Limit limit) {
    return (e.code() == ErrorCode.R123 || e.code() == ErrorCode.R118)
        && Recovery.isNearlyOver(limit);
  }

  private Payload ask(String workflowId, MessageKey update, Payload argument, Limit limit)
      throws TimeoutException {
    node.checkOpen();
    var run = node.inMemory().of(workflowId);
    if (run != null) {
      int cost = node.budget().take(argument.size()); // until it is durable, not until the answer
      Runnable settled = () -> node.budget().giveBack(cost);
      var answer = run.update(update.name(), argument, update.message(), settled);
      var known = intake.await(answer, limit);
      if (known.isPresent()) return answered(update.name(), known.get());
    }
    var row = intake.find(workflowId, limit);
    var known = firstLook(row, update, limit);
    if (known.event() != null) return answered(update.name(), known.event());
    if (row.status().isHeld()) throw held(row);
    intake.accept(workflowId, Kind.UPDATE, update.name(), update.message(), argument, limit);
    return awaitAnswer(workflowId, update, limit);
  }

  /** The run is elsewhere: its history tells. */
  private Payload awaitAnswer(String workflowId, MessageKey update, Limit limit)
      throws TimeoutException {
    long pause = SHORTEST.toNanos();
    var known = new UpdateSearch(update);
    long key = 0;
    for (; ; ) {
      node.checkOpen();
      var row = intake.find(workflowId, limit);
      boolean first = row.key() != key; // or it went on with another run
      key = row.key();
      known = first ? firstLook(row, update, limit) : look(row, known, limit);
      if (known.event() != null) return answered(update.name(), known.event());
      if (row.status().isClosed()) throw unanswered(workflowId, update.name());
      if (row.status().isHeld()) throw held(row);
      var left = limit.left();
      if (left.isZero()) throw new TimeoutException("no answer in its history");
      boolean isLast = left.compareTo(Duration.ofNanos(pause)) < 0;
      node.machine().park(this, isLast ? left.toNanos() : pause);
      pause = Math.min(2 * pause, LONGEST.toNanos());
    }
  }

  /** What a run has, or those before it that have taken the request in. */
  private UpdateSearch firstLook(RunRow row, MessageKey update, Limit limit) {
    var here = look(row, new UpdateSearch(update), limit);
    var origin = intake.started(row, limit).origin();
    if (here.event() != null || !origin.goesOn() || origin.lineage() == null) return here;
    if (origin.lineage().taken().stream().noneMatch(update::repeats)) return here;
    for (var earlier : recovery.read(() -> store.runsOf(row.workflowId()), limit)) {
      var there = look(earlier, new UpdateSearch(update), limit);
      if (there.event() != null) return there;
    }
    throw unanswered(row.workflowId(), update.name()); // its handler went with the run that had it
  }

  private UpdateSearch look(RunRow row, UpdateSearch search, Limit limit) {
    List<EventRow> page;
    do {
      page = recovery.read(() -> store.history(row.key(), search.next(), PAGE), limit);
      page.forEach(search::see);
    } while (page.size() == PAGE && search.event() == null);
    return search;
  }

  private static Payload answered(String update, Event answer) {
    return switch (answer) {
      case Event.UpdateCompleted(_, var result, _) -> result;
      case Event.UpdateFailed(_, var failure, _) ->
          throw new HandlerFailed("update '" + update + "'", failure);
      case Event.UpdateRefused(_, _, var code, var reason) ->
          throw new RepriseException(code, plain(code, reason));
      case Event other -> throw new IllegalStateException("not an answer: " + other);
    };
  }

  /** Without what the exception is going to add again. */
  private static String plain(ErrorCode code, String reason) {
    var text = reason.startsWith(code + " ") ? reason.substring(code.name().length() + 1) : reason;
    return ErrorCode.withoutDocs(text);
  }

  private static WorkflowBlocked held(RunRow row) {
    return new WorkflowBlocked(row.workflowId(), row.status(), String.valueOf(row.blockedBy()));
  }

  private static RepriseException late(
      String workflowId, MessageKey update, Limit limit, Exception cause) {
    return new RepriseException(
        ErrorCode.R123,
        "workflow '%s' did not answer the update '%s' within %s. It is not known whether it took the"
                .formatted(workflowId, update.name(), limit.length())
            + " update in, and it may yet: call again with the message id '%s' to get the answer"
                .formatted(update.message()),
        cause);
  }

  private static RepriseException unanswered(String workflowId, String update) {
    return new RepriseException(
        ErrorCode.R114,
        "workflow '%s' ended before it answered the update '%s'".formatted(workflowId, update));
  }
}
