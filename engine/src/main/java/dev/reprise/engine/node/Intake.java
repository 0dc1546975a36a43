package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.journal.Journal;
import dev.reprise.engine.journal.Ticket;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.replay.LiveRun.Reply;
import dev.reprise.engine.replay.RunPort;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Takes in what callers ask for: starts, inputs, resumes. Each returns when it is durable, or says
 * after a while that nobody knows yet.
 */
public final class Intake {
  private final Node node;
  private final Store store;
  private final Journal journal;
  private final Recovery recovery;
  private final Results results;
  private final RunKeys keys;

  Intake(Node node, Store store, Journal journal, Recovery recovery, Results results) {
    this.node = node;
    this.store = store;
    this.journal = journal;
    this.recovery = recovery;
    this.results = results;
    this.keys = new RunKeys(store, recovery, node.callTimeout());
  }

  // ---- starts -----------------------------------------------------------------------------------

  /**
   * A run that was started, now or earlier.
   *
   * @param end completes when it ends, if it was started now
   */
  public record Started(RunRow row, @Nullable CompletableFuture<RunPort.End> end) {}

  /** A new run, or the existing one with the same workflow and input. */
  public Started start(String workflow, String workflowId, Payload input) {
    node.checkOpen();
    boolean here = !node.isClient();
    if (here) node.definition(workflow);
    var row = newRow(workflow, workflowId, here ? node.id() : null);
    var run = here ? node.create(row) : null;
    var started = new Event.WorkflowStarted(workflow, workflowId, row.runId(), input);
    var first = EventRow.of(new Recorded(1, row.startedAt(), null, started));
    var end = results.watch(row.key());
    var ticket = journal.appendAwaited(new Transition.Start(row, first));
    if (run != null) ticket.onDone((outcome, _) -> started(run, first, outcome));
    boolean stored = false;
    try {
      stored = await(ticket) == Outcome.STORED;
    } finally {
      if (!stored) results.forget(row.key()); // else it would be looked for as long as we live
    }
    if (!stored) return new Started(existing(workflow, workflowId, input), null);
    if (run == null) store.wakeups().due();
    return new Started(row, end);
  }

  private void started(LiveRun run, EventRow first, @Nullable Outcome outcome) {
    if (outcome != Outcome.STORED) return;
    node.enter(run);
    node.begin(run, List.of(first), List.of());
  }

  private RunRow newRow(String workflow, String workflowId, @Nullable UUID owner) {
    var now = node.now();
    return new RunRow(
        keys.next(),
        node.newRunId(workflowId),
        workflowId,
        workflow,
        Status.RUNNING,
        owner,
        now,
        now,
        null,
        null,
        0);
  }

  private RunRow existing(String workflow, String workflowId, Payload input) {
    var row = find(workflowId);
    var first = node.read(() -> store.history(row.key(), 1, 1)).getFirst().recorded().event();
    if (first instanceof Event.WorkflowStarted before
        && before.workflow().equals(workflow)
        && before.input().equals(input)) {
      return row;
    }
    throw new RepriseException(
        ErrorCode.R105,
        "workflow id '%s' is in use by %s, started at %s with other input: choose another id, or"
                .formatted(workflowId, row.workflow(), row.startedAt())
            + " give the same input to get the existing run");
  }

  // ---- inputs -----------------------------------------------------------------------------------

  /**
   * Takes in an input.
   *
   * @param message the sender's id of it, if he gave one: the run takes in one of each
   */
  public void accept(
      String workflowId, Kind kind, String name, @Nullable String message, Payload value) {
    node.checkOpen();
    var run = node.inMemory().of(workflowId);
    if (run != null) {
      if (await(run.accept(kind, name, message, value)) == Reply.ACCEPTED) return;
      node.checkOpen();
    }
    var row = find(workflowId);
    var id = message == null ? node.newId().toString() : message;
    var input = new InputRow(0, row.key(), kind, name, id, value.bytes(), node.now());
    if (!row.status().isClosed()
        && await(journal.append(new Transition.Accept(input))) == Outcome.STORED) {
      hint(row);
    } else if (!isDone(find(workflowId), kind, id)) {
      throw closedRun(workflowId);
    }
  }

  /**
   * Whether a closed run has had this input: the answer of an earlier call was lost, or the run
   * took it in and ended before the store was asked what came of it.
   */
  private boolean isDone(RunRow row, Kind kind, String message) {
    if (kind == Kind.CANCEL) return row.status() == Status.CANCELLED;
    return node.read(
        () ->
            recovery.history(row.key()).stream()
                .anyMatch(event -> message.equals(event.recorded().event().message())));
  }

  /** An input waits for this run in the store. */
  private void hint(RunRow row) {
    var run = node.inMemory().of(row.key());
    if (run != null) {
      run.fetchInputs();
    } else if (store.isShared() && row.owner() != null && !row.owner().equals(node.id())) {
      store.wakeups().inputsFor(row.key());
    } else {
      recovery.soon();
      store.wakeups().due();
    }
  }

  // ---- the rest ---------------------------------------------------------------------------------

  /** Lets a blocked run try again. */
  public void resume(String workflowId) {
    node.checkOpen();
    var row = find(workflowId);
    var unblock = new RunChange.Unblock(node.now());
    await(journal.append(new Transition.Append(row.key(), List.of(), List.of(), unblock)));
    recovery.soon();
    store.wakeups().due();
  }

  /** The latest run of a workflow id. */
  public RunRow find(String workflowId) {
    return search(workflowId)
        .orElseThrow(
            () ->
                new RepriseException(
                    ErrorCode.R113, "there is no workflow with the id '%s'".formatted(workflowId)));
  }

  private Optional<RunRow> search(String workflowId) {
    return node.read(() -> store.find(workflowId));
  }

  private static RepriseException closedRun(String workflowId) {
    return new RepriseException(
        ErrorCode.R114, "workflow '%s' is closed and takes no input".formatted(workflowId));
  }

  // ---- waiting ----------------------------------------------------------------------------------

  /** Waits until it is durable, as long as a caller should have to. */
  private Outcome await(Ticket ticket) {
    try {
      return ticket.await(node.callTimeout());
    } catch (TimeoutException late) {
      throw noAnswer(late);
    }
  }

  private <T> T await(CompletableFuture<T> answer) {
    try {
      return node.machine().await(answer, node.callTimeout());
    } catch (TimeoutException late) {
      throw noAnswer(late);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw noAnswer(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
  }

  private RepriseException noAnswer(Exception cause) {
    return new RepriseException(
        ErrorCode.R123,
        "the database did not answer within %s. It is not known whether the call took effect, and it"
                .formatted(node.callTimeout())
            + " may yet: call again, a start with the same workflow id, a signal with the same"
            + " message id",
        cause);
  }
}
