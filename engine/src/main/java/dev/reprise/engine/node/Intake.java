package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.Fork;
import dev.reprise.IdReuse;
import dev.reprise.RepriseException;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.Texts;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ChildStarted;
import dev.reprise.engine.event.Origin;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.journal.Journal;
import dev.reprise.engine.journal.Ticket;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.replay.LiveRun.Reply;
import dev.reprise.engine.replay.Rehearsal;
import dev.reprise.engine.replay.RunPort;
import dev.reprise.engine.replay.Verdict;
import dev.reprise.engine.store.AttributesJson;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Delivery;
import java.util.List;
import java.util.Map;
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
  private final QueuedStarts queuedStarts;
  private final RunKeys keys;

  Intake(Node node, Store store, Journal journal, Recovery recovery, Results results) {
    this.node = node;
    this.store = store;
    this.journal = journal;
    this.recovery = recovery;
    this.results = results;
    this.queuedStarts = new QueuedStarts(node, store, journal, this, results);
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
  public Started start(String workflow, String workflowId, Payload input, StartOptions options) {
    node.checkOpen();
    if (!options.isImmediate()) return queuedStarts.start(workflow, workflowId, input, options);
    boolean here = !node.isClient();
    var hash = here ? node.definition(workflow).hash() : null;
    var origin = new Origin(hash, options.timeout().orElse(null), options.attributes(), null, null);
    for (RunRow before = null; ; ) {
      var started = start(birth(workflow, workflowId, input, origin, here, before), before);
      if (started != null) return started;
      before = replaceable(workflowId, options);
      if (before == null) return new Started(existing(workflow, workflowId, input), null);
    }
  }

  /** Null if the workflow id is taken. */
  private @Nullable Started start(Birth birth, @Nullable RunRow before) {
    var replaces = before == null ? null : before.key();
    var start = new Transition.Start(birth.row(), birth.events(), List.of(), replaces);
    var ticket = journal.appendCall(start);
    var end = results.watch(birth.row().key()); // before it begins
    ticket.onDone((outcome, _) -> begin(birth, outcome));
    boolean stored = false;
    try {
      stored = await(ticket) == Outcome.STORED;
    } finally {
      if (!stored) results.forget(birth.row().key()); // else it would be looked for while we live
    }
    if (!stored) return null;
    if (birth.run() == null) store.wakeups().due();
    return new Started(birth.row(), end);
  }

  /** The latest run of a workflow id, if a new one may follow it; else null. */
  @Nullable RunRow replaceable(String workflowId, StartOptions options) {
    if (options.idReuse() == IdReuse.NEVER) return null;
    return node.read(() -> store.find(workflowId))
        .filter(latest -> options.idReuse().allowsAfter(latest.status()))
        .orElse(null);
  }

  /**
   * A run that is about to be.
   *
   * @param run null if it is to run elsewhere
   */
  private record Birth(RunRow row, List<EventRow> events, @Nullable LiveRun run) {}

  private Birth birth(
      String workflow,
      String workflowId,
      Payload input,
      Origin origin,
      boolean here,
      @Nullable RunRow before) {
    var owner = here ? node.id() : null;
    var row = newRow(workflow, workflowId, origin, Status.RUNNING, owner, before);
    var started = new Event.WorkflowStarted(workflow, workflowId, row.runId(), input, origin);
    var first = EventRow.of(new Recorded(1, row.startedAt(), null, started));
    return new Birth(row, List.of(first), here ? node.create(row) : null);
  }

  private void begin(Birth birth, @Nullable Outcome outcome) {
    if (outcome != Outcome.STORED || birth.run() == null) return;
    node.enter(birth.run());
    node.begin(birth.run(), birth.events(), List.of());
  }

  /**
   * @param before the run of that workflow id which it follows, if there is one
   */
  RunRow newRow(
      String workflow,
      String workflowId,
      Origin origin,
      Status status,
      @Nullable UUID owner,
      @Nullable RunRow before) {
    var now = node.now();
    return new RunRow(
        before == null ? keys.next() : node.read(() -> store.reserveKeys(1)), // above those before
        before == null ? node.newRunId(workflowId) : node.nextRunId(before),
        workflowId,
        workflow,
        status,
        owner,
        status == Status.QUEUED ? null : now,
        now,
        null,
        null,
        0,
        origin.parent() == null ? null : origin.parent().workflowId(),
        AttributesJson.write(origin.attributes()));
  }

  /** By the same name, or by one that it had before. */
  private boolean isSame(String recorded, String workflow) {
    if (recorded.equals(workflow)) return true;
    var definition = node.known(recorded);
    return definition.isPresent() && definition.equals(node.known(workflow));
  }

  // ---- children and runs that go on -------------------------------------------------------------

  /**
   * Starts a child, here if its code is here. Says whether it is that parent's.
   *
   * @param asked without which the child must not be stored, if it is not durable yet
   */
  CompletableFuture<Boolean> startChild(RunRow parent, ChildStarted child, @Nullable Ticket asked) {
    var isOurs = new CompletableFuture<Boolean>();
    try {
      var definition = node.known(child.workflow());
      var link = new Origin.Parent(parent.workflowId(), parent.runId(), child.id());
      var hash = definition.map(WorkflowDefinition::hash).orElse(null);
      var origin = new Origin(hash, child.timeout(), Map.of(), link, null);
      boolean here = definition.isPresent();
      var birth = birth(child.workflow(), child.workflowId(), child.input(), origin, here, null);
      var start = new Transition.Start(birth.row(), birth.events());
      var ticket = asked == null ? journal.append(start) : journal.appendBehind(asked, start);
      ticket.onDone((outcome, failure) -> childStarted(birth, link, outcome, failure, isOurs));
    } catch (RuntimeException e) {
      isOurs.completeExceptionally(e);
    }
    return isOurs;
  }

  private void childStarted(
      Birth child,
      Origin.Parent parent,
      @Nullable Outcome outcome,
      @Nullable RuntimeException failure,
      CompletableFuture<Boolean> isOurs) {
    if (failure != null) {
      isOurs.completeExceptionally(failure);
    } else if (outcome == Outcome.STORED) {
      begin(child, outcome);
      if (child.run() == null) store.wakeups().due();
      isOurs.complete(true);
    } else {
      recovery.later(() -> isOurs.complete(isChildOf(parent, child.row().workflowId())));
    }
  }

  /** Whether the workflow of that id is this parent's: it was started before a crash. */
  private boolean isChildOf(Origin.Parent parent, String workflowId) {
    var found = store.find(workflowId);
    if (found.isEmpty()) return true; // it has ended, and was deleted since
    if (found.get().status() == Status.QUEUED) return false; // children begin at once
    var first = store.history(found.get().key(), 1, 1).getFirst().recorded().event();
    return first instanceof Event.WorkflowStarted started
        && parent.equals(started.origin().parent());
  }

  /** What a run needs with which a workflow goes on. */
  CompletableFuture<RunPort.Next> next(RunRow row, int events) {
    var next = new CompletableFuture<RunPort.Next>();
    recovery.later(
        () -> {
          var copied = events == 0 ? List.<EventRow>of() : recovery.history(row.key(), events);
          next.complete(new RunPort.Next(store.reserveKeys(1), node.nextRunId(row), copied));
        });
    return next;
  }

  /** The one that was started with that input, even if it has gone on with other runs since. */
  RunRow existing(String workflow, String workflowId, Payload input) {
    var row = find(workflowId);
    var before = begin(row);
    boolean unknown = before.origin().goesOn(); // the runs before it are deleted
    if (isSame(before.workflow(), workflow) && (unknown || before.input().equals(input))) {
      return row;
    }
    boolean isOther = !isSame(before.workflow(), workflow);
    throw new RepriseException(
        ErrorCode.R105,
        isOther
            ? "workflow id '%s' is in use by the workflow '%s', started at %s, and was to be given to"
                    .formatted(workflowId, row.workflow(), row.startedAt())
                + " '%s': choose another id".formatted(workflow)
            : "workflow id '%s' is in use by %s, started at %s with other input: choose another id,"
                    .formatted(workflowId, row.workflow(), row.startedAt())
                + " or give the same input to get the existing run");
  }

  /** Who is not sure that a fork was made asks for it again. */
  private RunRow existingFork(String workflowId, List<EventRow> events) {
    var row = find(workflowId);
    var there = node.read(() -> store.history(row.key(), 1, events.size()));
    if (Forks.areSame(events, there)) return row;
    throw new RepriseException(
        ErrorCode.R105, "workflow id '%s' is in use: fork as another".formatted(workflowId));
  }

  /** The first event of a run. */
  Event.WorkflowStarted started(RunRow row) {
    return started(row, limit());
  }

  Event.WorkflowStarted started(RunRow row, Limit limit) {
    var first = recovery.read(() -> first(row), limit).recorded().event();
    return (Event.WorkflowStarted) first;
  }

  /** It is kept with the run that waits on a queue until it begins, which may be now. */
  private EventRow first(RunRow row) {
    for (int looks = 0; looks < 2; looks++) {
      var recorded = store.history(row.key(), 1, 1);
      if (!recorded.isEmpty()) return recorded.getFirst();
      var kept = store.tasks().startOf(row.key());
      if (kept.isPresent()) return kept.get();
    }
    throw new RepriseException(
        ErrorCode.R113, "workflow '%s' was deleted meanwhile".formatted(row.workflowId()));
  }

  /**
   * How the workflow began whose latest run this is: with the first of the runs that were continued
   * up to it, of those that are still there. Runs before that had the id for themselves.
   */
  private Event.WorkflowStarted begin(RunRow latest) {
    var start = started(latest);
    if (!start.origin().goesOn()) return start;
    var first = latest;
    for (var run : node.read(() -> store.runsOf(latest.workflowId()))) {
      if (run.key() >= latest.key()) continue;
      if (run.status() != Status.CONTINUED) break;
      first = run;
    }
    return started(first);
  }

  /** A new run from a part of another one's history. */
  public RunRow fork(Fork fork) {
    node.checkOpen();
    var source = source(fork);
    if (source.status() == Status.QUEUED) throw Forks.notBegun(source);
    var history = node.read(() -> recovery.history(source.key()));
    var waiting = node.read(() -> store.inputs(source.key())); // a request to end it goes with that
    boolean hasEnded = run(source.workflowId(), source.runId()).status().isClosed();
    if (hasEnded) history = node.read(() -> recovery.history(source.key()));
    var forks = new Forks(fork, source, history, waiting, node.values());
    var runId = fork.as().map(node::newRunId).orElseGet(node::newId);
    var workflowId = fork.as().orElse(source.workflowId() + "~" + tail(runId));
    var events = forks.events(workflowId, runId);
    var row = forks.row(keys.next(), runId, workflowId, node.now());
    rehearse(row, events);
    var tasks = Forks.tasks(events, node.now());
    if (await(journal.appendCall(new Transition.Start(row, events, tasks))) != Outcome.STORED) {
      return existingFork(workflowId, events);
    }
    tasks.stream().map(NewTask::queue).distinct().forEach(node.queues()::announce);
    recovery.soon();
    store.wakeups().due();
    return row;
  }

  private static String tail(UUID id) {
    var text = id.toString();
    return text.substring(text.lastIndexOf('-') + 1);
  }

  private RunRow source(Fork fork) {
    if (fork.runId().isEmpty()) return find(fork.workflowId());
    return run(fork.workflowId(), fork.runId().get());
  }

  /** One run of a workflow id. */
  public RunRow run(String workflowId, UUID runId) {
    return node.read(() -> store.runsOf(workflowId)).stream()
        .filter(row -> row.runId().equals(runId))
        .findFirst()
        .orElseThrow(
            () ->
                new RepriseException(
                    ErrorCode.R113, "workflow '%s' has no run %s".formatted(workflowId, runId)));
  }

  /** Where the code is here: it must follow the events, as they are or edited. */
  private void rehearse(RunRow row, List<EventRow> events) {
    var definition = node.known(row.workflow());
    if (definition.isEmpty()) return;
    try {
      var rehearsal = new Rehearsal(row, events, definition.get(), node.runSettings());
      if (rehearsal.play(node.callTimeout()) instanceof Verdict.Departs(_, _, var mistake)) {
        throw mistake instanceof RuntimeException e ? e : new IllegalStateException(mistake);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw noAnswer(limit(), e);
    }
  }

  // ---- inputs -----------------------------------------------------------------------------------

  /**
   * Takes in an input.
   *
   * @param message the sender's id of it, if he gave one: the run takes in one of each
   */
  public void accept(
      String workflowId, Kind kind, String name, @Nullable String message, Payload value) {
    accept(workflowId, kind, name, message, value, limit());
  }

  /** The same, for a caller that has waited for other things already. */
  void accept(
      String workflowId,
      Kind kind,
      String name,
      @Nullable String message,
      Payload value,
      Limit limit) {
    node.checkOpen();
    var run = node.inMemory().of(workflowId);
    if (run != null) {
      if (isTaken(run, kind, name, message, value, limit)) return;
      node.checkOpen();
    }
    var id = message == null ? node.newId().toString() : message;
    for (var row = find(workflowId, limit); ; ) {
      if (isStored(row, kind, name, id, value, limit)) return;
      var now = find(workflowId, limit);
      if (now.key() == row.key()) {
        if (isDone(now, kind, name, id, limit)) return;
        throw closedRun(workflowId);
      }
      row = now; // the workflow went on with another run
    }
  }

  /** Whether a run in memory has recorded it; if not, only the store knows what is next. */
  boolean isTaken(LiveRun run, Kind kind, String name, @Nullable String message, Payload value) {
    return isTaken(run, kind, name, message, value, limit());
  }

  private boolean isTaken(
      LiveRun run, Kind kind, String name, @Nullable String message, Payload value, Limit limit) {
    int cost = node.budget().take(value.size());
    var reply = node.budget().until(run.accept(kind, name, message, value), cost);
    return await(reply, limit) == Reply.ACCEPTED;
  }

  boolean isStored(RunRow row, Kind kind, String name, String message, Payload value) {
    return isStored(row, kind, name, message, value, limit());
  }

  private boolean isStored(
      RunRow row, Kind kind, String name, String message, Payload value, Limit limit) {
    if (row.status().isClosed()) return false;
    var input = new InputRow(0, row.key(), kind, name, message, value.bytes(), node.now());
    var ticket = journal.appendCall(new Transition.Accept(input));
    boolean stored = await(ticket, limit) == Outcome.STORED;
    if (stored) hint(row);
    return stored;
  }

  /**
   * Whether a closed run has had this input: the answer of an earlier call was lost, or the run
   * took it in and ended before the store was asked what came of it.
   */
  private boolean isDone(RunRow row, Kind kind, String name, String message, Limit limit) {
    if (kind == Kind.CANCEL) return row.status() == Status.CANCELLED;
    if (kind == Kind.TERMINATE || kind == Kind.TERMINATE_AND_UNDO) {
      return row.status() == Status.TERMINATED;
    }
    var state = RunState.empty(); // it knows what runs before this one have taken in
    for (var event : recovery.read(() -> recovery.history(row.key()), limit)) {
      state = state.apply(event.recorded());
    }
    return kind == Kind.UPDATE
        ? state.hasTakenUpdate(name, message)
        : state.hasTakenSignal(name, message);
  }

  /** Inputs wait in the store for these workflows. */
  void delivered(List<Delivery> deliveries) {
    for (var delivery : deliveries) {
      var run = node.inMemory().of(delivery.workflowId());
      if (run != null) run.fetchInputs();
      else recovery.later(() -> store.find(delivery.workflowId()).ifPresent(this::hintIfOpen));
    }
  }

  private void hintIfOpen(RunRow row) {
    if (!row.status().isClosed()) hint(row);
  }

  /** An input waits for this run in the store. */
  private void hint(RunRow row) {
    var run = node.inMemory().of(row.key());
    if (run != null) {
      run.fetchInputs();
    } else if (row.status() == Status.QUEUED) {
      store.wakeups().inputsFor(row.key()); // it may have begun meanwhile
    } else if (store.isShared() && row.owner() != null && !row.owner().equals(node.id())) {
      store.wakeups().inputsFor(row.key());
    } else {
      recovery.soon();
      store.wakeups().due();
    }
  }

  // ---- looking ----------------------------------------------------------------------------------

  /** The latest run of a workflow id. */
  public RunRow find(String workflowId) {
    return find(workflowId, limit());
  }

  RunRow find(String workflowId, Limit limit) {
    return recovery
        .read(() -> store.find(workflowId), limit)
        .orElseThrow(
            () ->
                new RepriseException(
                    ErrorCode.R113, "there is no workflow with the id '%s'".formatted(workflowId)));
  }

  /**
   * The run as it is now, or the one with which its workflow has gone on. Not one that used its
   * workflow id again.
   */
  RunRow current(RunRow row) {
    var latest = find(row.workflowId());
    if (latest.key() == row.key()) return latest;
    var next = latest;
    for (var run : node.read(() -> store.runsOf(row.workflowId()))) {
      if (run.key() == row.key()) return run.status() == Status.CONTINUED ? next : run;
      if (run.key() < row.key()) break; // it was deleted
      next = run;
    }
    return next;
  }

  static RepriseException closedRun(String workflowId) {
    return new RepriseException(
        ErrorCode.R114, "workflow '%s' is closed and takes no input".formatted(workflowId));
  }

  // ---- waiting ----------------------------------------------------------------------------------

  /** Waits until it is durable, as long as a caller should have to. */
  Outcome await(Ticket ticket) {
    return await(ticket, limit());
  }

  private Outcome await(Ticket ticket, Limit limit) {
    try {
      return ticket.await(limit.left());
    } catch (TimeoutException late) {
      throw noAnswer(limit, late);
    }
  }

  <T> T await(CompletableFuture<T> answer) {
    return await(answer, limit());
  }

  /** Waits for an answer, as long as that. */
  <T> T await(CompletableFuture<T> answer, Limit limit) {
    try {
      return node.machine().await(answer, limit.left());
    } catch (TimeoutException late) {
      throw noAnswer(limit, late);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw noAnswer(limit, e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
  }

  /** As long as a caller should have to wait, from now on. */
  private Limit limit() {
    return Limit.of(node.machine(), node.callTimeout());
  }

  private RepriseException noAnswer(Limit limit, Exception cause) {
    var trouble = journal.trouble().map(why -> " (" + Texts.shown(why) + ")").orElse("");
    return new RepriseException(
        ErrorCode.R123,
        "the database did not answer within %s%s. It is not known whether the call took effect, and it"
                .formatted(limit.length(), trouble)
            + " may yet: call again, a start with the same workflow id, a signal with the same"
            + " message id",
        cause);
  }
}
