package dev.reprise.engine.node;

import dev.reprise.Status;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.decide.Input;
import dev.reprise.engine.event.Event.WorkflowStarted;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.journal.Journal;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.replay.RunPort.End;
import dev.reprise.engine.store.AttributesJson;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs that wait to begin: lets them begin, or ends them before they do.
 *
 * <p>Such a run is nobody's, so any node may do either; the store takes what comes first and
 * refuses the rest. In one node it is one after the other, since a node may write to its own runs
 * as it likes.
 */
final class QueuedRuns {
  private final Node node;
  private final Store store;
  private final Journal journal;
  private final Recovery recovery;
  private final Results results;
  private final ConcurrentMap<Long, CompletableFuture<Boolean>> busy = new ConcurrentHashMap<>();
  private final Queue<Begun> entered = new ConcurrentLinkedQueue<>();
  private final ConcurrentMap<Long, String> places = new ConcurrentHashMap<>(); // of runs in memory

  private record Begun(LiveRun run, EventRow first) {}

  QueuedRuns(Node node, Store store, Journal journal, Recovery recovery, Results results) {
    this.node = node;
    this.store = store;
    this.journal = journal;
    this.recovery = recovery;
    this.results = results;
  }

  // ---- begin ------------------------------------------------------------------------------------

  /** Lets a run begin that was handed out; false if it has begun elsewhere, or is closed. */
  CompletableFuture<Boolean> begin(Handout handout) {
    long key = handout.ref().run();
    var done = new CompletableFuture<Boolean>();
    var other = busy.putIfAbsent(key, done);
    if (other != null) return other.handle((_, _) -> key).thenCompose(_ -> begin(handout));
    try {
      node.checkOpen();
      begin(handout, done);
    } catch (RuntimeException e) {
      finish(key, done, false, e);
    } catch (Error e) {
      node.failed(e); // its begin may be stored, and nobody would run it here
      finish(key, done, false, node.whyClosed());
    }
    return done;
  }

  private void begin(Handout handout, CompletableFuture<Boolean> done) {
    long key = handout.ref().run();
    var now = node.now();
    var first = first(handout, now);
    var run = node.create(begunRow(handout, (WorkflowStarted) first.event(), now));
    var begun = new Begun(run, EventRow.of(first));
    var append = new Append(key, List.of(begun.first), List.of(), new RunChange.Begin(now));
    journal
        .append(append)
        .onDone(
            (outcome, failure) -> {
              boolean stored = outcome == Outcome.STORED;
              try {
                if (stored) enter(begun, handout.queue());
              } finally {
                finish(key, done, stored, failure);
              }
            });
  }

  /** Whoever began to wait, the run has the id that it was given, and begins with the code here. */
  private Recorded first(Handout handout, Instant now) {
    var kept = (WorkflowStarted) handout.event().recorded().event();
    var origin = kept.origin().withHash(node.definition(kept.workflow()).hash());
    var started =
        new WorkflowStarted(
            kept.workflow(), handout.workflowId(), handout.runId(), kept.input(), origin);
    return new Recorded(1, now, null, started);
  }

  private RunRow begunRow(Handout handout, WorkflowStarted started, Instant now) {
    return new RunRow(
        handout.ref().run(),
        handout.runId(),
        handout.workflowId(),
        started.workflow(),
        Status.RUNNING,
        node.id(),
        now,
        now,
        null,
        null,
        0,
        null,
        AttributesJson.write(started.origin().attributes()));
  }

  /** Entered before its inputs are read, so that none falls in between. */
  private void enter(Begun begun, String queue) {
    places.put(begun.run.row().key(), queue);
    node.enter(begun.run);
    if (node.isStopped()) {
      begun.run.abandon();
      return;
    }
    entered.add(begun);
    recovery.later(this::beginEntered);
  }

  /** Those that have come meanwhile too; they stay if the store does not answer. */
  private void beginEntered() {
    var batch = List.copyOf(entered);
    if (batch.isEmpty()) return;
    var inputs = store.inputs(batch.stream().map(begun -> begun.run.row().key()).toList());
    for (var begun : batch) {
      entered.remove();
      var waiting = inputs.getOrDefault(begun.run.row().key(), List.of());
      node.begin(begun.run, List.of(begun.first), waiting);
    }
  }

  /** A run has left memory: if it was the last of its workflow, there is room on its queue. */
  void left(long run, End end) {
    if (places.isEmpty()) return;
    if (end instanceof End.Undoing || end instanceof End.Lost) return; // it comes back
    var queue = places.remove(run);
    if (queue == null) return;
    if (end instanceof End.Continued(_, var next, _)) places.put(next.key(), queue);
    else if (end instanceof End.Closed && !queue.isEmpty()) node.queues().announce(queue);
  }

  // ---- end --------------------------------------------------------------------------------------

  /**
   * Ends a run that has not begun.
   *
   * @param how a cancel or a terminate
   * @return false if something else has happened to it, and whoever asks has to look again
   */
  CompletableFuture<Boolean> end(long run, Input how) {
    var done = new CompletableFuture<Boolean>();
    var other = busy.putIfAbsent(run, done);
    if (other != null) return other.handle((_, _) -> run).thenCompose(_ -> end(run, how));
    recovery.later(() -> end(run, how, done));
    return done;
  }

  private void end(long run, Input how, CompletableFuture<Boolean> done) {
    try {
      var row = store.runs(List.of(run)).stream().filter(found -> isQueued(found)).findFirst();
      var start = row.isEmpty() ? Optional.<EventRow>empty() : store.tasks().startOf(run);
      if (row.isPresent() && start.isPresent()) end(row.get(), start.get(), how, done);
      else finish(run, done, false, null);
    } catch (StoreUnavailable away) {
      throw away; // it is tried again
    } catch (RuntimeException e) {
      finish(run, done, false, e);
    }
  }

  private static boolean isQueued(RunRow row) {
    return row.status() == Status.QUEUED;
  }

  private void end(RunRow row, EventRow start, Input how, CompletableFuture<Boolean> done) {
    var history = history(row, start, how);
    var end = history.getLast();
    var state = RunState.empty();
    for (var event : history) state = state.apply(event);
    var inputs = store.inputs(row.key()).stream().map(InputRow::id).toList();
    var close = new RunChange.Close(state.status(), end.at());
    journal
        .append(new Append(row.key(), history.stream().map(EventRow::of).toList(), inputs, close))
        .onDone(
            (outcome, failure) -> {
              boolean stored = outcome == Outcome.STORED;
              if (stored) results.tell(row.key(), new End.Closed(end));
              finish(row.key(), done, stored, failure);
            });
  }

  /** What such a run leaves behind: that it was asked for, and that it was given up. */
  private List<Recorded> history(RunRow row, EventRow start, Input how) {
    var kept = (WorkflowStarted) start.recorded().event();
    var started =
        new WorkflowStarted(
            row.workflow(), row.workflowId(), row.runId(), kept.input(), kept.origin());
    var first = new Recorded(1, row.startedAt(), null, started);
    var now = node.now();
    var at = now.isBefore(first.at()) ? first.at() : now;
    var asked = Decider.decide(RunState.empty().apply(first), how, at).orElseThrow();
    var history = new ArrayList<>(List.of(first, new Recorded(2, at, null, asked)));
    if (how instanceof Input.CancelSent(_, var reason)) {
      var cancelled = Decider.decide(new Command.Cancel(reason), at);
      history.add(new Recorded(3, at, null, cancelled));
    }
    return history;
  }

  /** The node has ended: what is under way is answered, if nothing else does. */
  void drop(RuntimeException why) {
    for (var done : busy.values()) done.completeExceptionally(why);
  }

  private void finish(
      long run,
      CompletableFuture<Boolean> done,
      boolean isDone,
      @Nullable RuntimeException failure) {
    busy.remove(run); // first: who waited for it tries next
    if (failure == null) done.complete(isDone);
    else done.completeExceptionally(failure);
  }
}
