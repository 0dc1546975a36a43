package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Texts;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.journal.CallBudget;
import dev.reprise.engine.journal.Journal;
import dev.reprise.engine.journal.Lease;
import dev.reprise.engine.journal.Ticket;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.replay.NewCode;
import dev.reprise.engine.replay.RunPort;
import dev.reprise.engine.replay.RunSettings;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.task.Workers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One incarnation of an engine process: takes starts and signals in, has runs in memory, and is the
 * port through which they reach the journal, the timers and each other.
 */
public final class Node implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  private final UUID id;
  private final Machine machine;
  private final Store store;
  private final Time time;
  private final Map<String, WorkflowDefinition> definitions;
  private final NodeSettings settings;
  private final NodePort port;
  private final Timers timers;
  private final Journal journal;
  private final CallBudget budget;
  private final Admission admission;
  private final ParkedRuns parked;
  private final CodeRoutes routes;
  private final Recovery recovery;
  private final Lookout lookout;
  private final @Nullable Retention retention;
  private final QueuedRuns queuedRuns;
  private final Intake intake;
  private final Control control;
  private final Requests requests;
  private final Lease lease;
  private final Results results;
  private final Trials trials;
  private final RunsInMemory runs = new RunsInMemory();
  private final @Nullable Workers workers;
  private final QueueHints queues;
  private final Runnable onStop;
  private volatile @Nullable RuntimeException closed; // why nothing is accepted any more

  /**
   * Joins the store and begins to run what is due.
   *
   * @param definitions none for a client, which only starts and signals
   * @param onStop called once if the node may not write any more
   */
  public Node(
      Store store,
      Time time,
      Map<String, WorkflowDefinition> definitions,
      NodeSettings settings,
      Runnable onStop) {
    this(store, time, definitions, settings, null, onStop);
  }

  /**
   * @param workers who run what is on queues, and outlive the node; null if nobody does
   */
  public Node(
      Store store,
      Time time,
      Map<String, WorkflowDefinition> definitions,
      NodeSettings settings,
      @Nullable Workers workers,
      Runnable onStop) {
    this.workers = workers;
    this.machine = settings.runs().machine();
    this.store = store;
    this.time = time;
    this.id = newId();
    this.definitions = withFormerNames(definitions);
    this.settings = settings;
    this.onStop = onStop;
    this.admission = new Admission(settings.activeRuns());
    this.parked = new ParkedRuns(settings.memoryBudget());
    this.results = new Results(machine);
    this.trials = new Trials(machine);
    long sent = machine.nanoTime();
    // The lease first: if others lose sight of this process while it joins, that must not be
    // missed.
    this.lease = new Lease(machine, store, settings.lease(), sent);
    this.routes = new CodeRoutes(store, id, this.definitions);
    store.join(joining(settings));
    this.timers = new Timers(machine, time, this::failed);
    boolean beats = store.isShared() && !isClient();
    this.budget = new CallBudget(settings.callBudget());
    this.journal = new Journal(machine, store, id, lease, beats, budget, new JournalListener());
    this.recovery = new Recovery(this, store, timers, List.copyOf(this.definitions.keySet()));
    this.queues = new QueueHints(machine, store, workers, runs, recovery::soon);
    this.lookout = new Lookout(this, store);
    this.retention = retention();
    this.queuedRuns = new QueuedRuns(this, store, journal, recovery, results);
    this.intake = new Intake(this, store, journal, recovery, results);
    this.control = new Control(this, store, journal, recovery, intake, queuedRuns);
    this.requests = new Requests(this, store, recovery, intake);
    this.port = new NodePort(this, time, timers, journal, lease, parked, recovery, intake, results);
    store.wakeups().onHint(recovery);
    recovery.start();
    lookout.start();
    if (retention != null) retention.start();
  }

  private Joining joining(NodeSettings settings) {
    var workflows = definitions.keySet().stream().sorted().toList();
    return new Joining(id, machine.name(), isClient(), settings.lease(), routes.own(), workflows);
  }

  /** Only where workflows run: a client has no say in what is kept. */
  private @Nullable Retention retention() {
    var period = settings.retention();
    if (period == null || isClient()) return null;
    return new Retention(machine, store::deleteClosed, time::now, period);
  }

  /** Histories may call a workflow by a name that it had before. */
  static Map<String, WorkflowDefinition> withFormerNames(
      Map<String, WorkflowDefinition> definitions) {
    var all = new HashMap<String, WorkflowDefinition>(definitions);
    for (var definition : definitions.values()) {
      for (var former : definition.formerNames()) all.putIfAbsent(former, definition);
    }
    return Map.copyOf(all);
  }

  /** Why it accepts nothing any more. */
  RuntimeException whyClosed() {
    var why = closed;
    return why == null ? engineClosed() : why;
  }

  /** Whether it accepts nothing any more. */
  boolean isStopped() {
    return closed != null;
  }

  /** Whether it only starts and signals, and runs nothing itself. */
  public boolean isClient() {
    return definitions.isEmpty();
  }

  // ---- from clients -----------------------------------------------------------------------------

  public WorkflowDefinition definition(String name) {
    var found = definitions.get(name);
    if (found != null) return found;
    throw new RepriseException(
        ErrorCode.R102,
        "no workflow '%s' is registered, there are %s: add it with workflow(…) when the engine is"
                .formatted(name, definitions.keySet().stream().sorted().toList())
            + " opened");
  }

  /** The workflow of that name, if it is registered here. */
  public Optional<WorkflowDefinition> known(String name) {
    return Optional.ofNullable(definitions.get(name));
  }

  /** What all runs share. */
  RunSettings runSettings() {
    return settings.runs();
  }

  /** What callers ask for. */
  public Intake intake() {
    return intake;
  }

  /** What people do to runs. */
  public Control control() {
    return control;
  }

  /** What the code of runs answers. */
  Requests requests() {
    return requests;
  }

  /** The run if it is in memory. */
  public Optional<LiveRun> inMemory(String workflowId) {
    return Optional.ofNullable(runs.of(workflowId));
  }

  /** Takes a run out of memory if it only waits. */
  public void evict(LiveRun run) {
    run.evict(time.now().plus(Recovery.AHEAD));
  }

  /** Completes when the run is closed or blocked. */
  public CompletableFuture<RunPort.End> watch(long run) {
    return results.watch(run);
  }

  /** Reads from the store, on a thread of the engine. */
  public <T> T read(Supplier<T> reading) {
    return recovery.read(reading);
  }

  public Store store() {
    return store;
  }

  public Values values() {
    return settings.runs().values();
  }

  /** How many runs are in memory. */
  public int size() {
    return runs.size();
  }

  /** What it does at this moment: for tests, which move the time when nothing else moves. */
  public Motion motion() {
    return Motion.of(journal, recovery.errands(), workers, runs.all(), timers);
  }

  void checkOpen() {
    if (closed != null) throw closed;
  }

  // ---- runs come and go -------------------------------------------------------------------------

  /** From now on the run is in memory, and inputs for it are handed to it. */
  void enter(LiveRun run) {
    journal.isAsStored(run.row().key());
    runs.add(run);
  }

  /**
   * Lets a run begin that has waited, on a queue or for its time; false if it has begun elsewhere
   * or is closed. Until this is durable it waits, and is handed out again.
   */
  public CompletableFuture<Boolean> beginQueued(Handout run) {
    return queuedRuns.begin(run);
  }

  QueuedRuns queuedRuns() {
    return queuedRuns;
  }

  /** The code of a run in memory begins when its turn comes; its history says that it is ours. */
  void begin(LiveRun run, List<EventRow> history, List<InputRow> inputs) {
    if (closed != null) run.abandon();
    else admission.admit(run, () -> run.begin(history, inputs));
  }

  /** The same for a run that was loaded: other code than ours may have begun it. */
  void goOn(LiveRun run, List<EventRow> history, List<InputRow> inputs) {
    if (closed != null) {
      run.abandon();
      return;
    }
    try {
      var newCode = newCode(run.row(), history);
      admission.admit(run, () -> run.begin(history, inputs, newCode));
    } catch (RepriseException held) {
      hold(run, held);
    }
  }

  /** Holds a run in memory whose code cannot begin. */
  void hold(LiveRun run, RepriseException why) {
    admission.admit(run, () -> run.hold(why));
  }

  /**
   * What the history does not say of the code that is here.
   *
   * @throws RepriseException if the run must not go on, found before any of its code runs
   */
  private @Nullable NewCode newCode(RunRow row, List<EventRow> history) {
    history.stream().filter(EventRow::damaged).findFirst().ifPresent(EventRow::recorded);
    return SourceCheck.of(history)
        .newCode(definition(row.workflow()), settings.sourcePolicy(), row, history);
  }

  /** Tells those who wait for a run that it has ended. */
  void settle(RunRow row) {
    read(
        () -> {
          tell(row);
          return row;
        });
  }

  /** The same, for a thread that may read the store. */
  void tell(RunRow row) {
    var reason = row.blockedBy();
    if (reason != null) {
      results.tell(row.key(), new RunPort.End.Blocked(reason));
    } else if (row.status().isClosed()) {
      var last = store.lastEvent(row.key());
      try {
        results.tell(row.key(), new RunPort.End.Closed(end(row, last)));
      } catch (RepriseException damaged) {
        results.fail(row.key(), damaged); // the others whose runs have ended are told all the same
      }
    }
  }

  private static Recorded end(RunRow row, Optional<EventRow> last) {
    var end = last.map(EventRow::recorded);
    if (end.isPresent() && end.get().event().isTerminal()) return end.get();
    throw new RepriseException(
        ErrorCode.R145,
        "workflow '%s' is %s, and its history has no end: events are missing"
            .formatted(row.workflowId(), row.status()));
  }

  /** Holds a run that cannot be written. */
  void block(RunRow row, String reason) {
    RunLog.held(row, reason, null);
    appendBlock(row, reason)
        .onDone(
            (_, failure) -> {
              if (!(failure instanceof RepriseException e) || e.code() != ErrorCode.R121) return;
              var _ = appendBlock(row, ErrorCode.R121 + " the run cannot be stored, nor why");
            });
    results.tell(row.key(), new RunPort.End.Blocked(reason));
  }

  private Ticket appendBlock(RunRow row, String reason) {
    journal.isAsStored(row.key()); // what its last life wrote is decided
    var block = new RunChange.Block(Texts.storable(reason));
    return journal.append(new Transition.Append(row.key(), List.of(), List.of(), block));
  }

  Admission admission() {
    return admission;
  }

  Instant now() {
    return time.now();
  }

  /** An id of a run or a node. */
  UUID newId() {
    return RunIds.next(time.now(), machine.random());
  }

  Machine machine() {
    return machine;
  }

  UUID id() {
    return id;
  }

  /** What is told about queues, here and to others. */
  QueueHints queues() {
    return queues;
  }

  /** Calls back then, as long as it lives. */
  RunPort.Timer at(Instant due, Runnable action) {
    return timers.at(due, action);
  }

  /** Runs of others may have become free. */
  void othersMayBeDue() {
    recovery.soon();
  }

  /** Runs for which somebody waits here, and which are not in memory. */
  List<Long> watchedElsewhere() {
    return results.toLookAt(key -> runs.of(key) != null);
  }

  Results results() {
    return results;
  }

  RunsInMemory inMemory() {
    return runs;
  }

  /** Which runs are left to engines with other code. */
  CodeRoutes routes() {
    return routes;
  }

  Trials trials() {
    return trials;
  }

  /** A run that is to come into memory. */
  LiveRun create(RunRow row) {
    return new LiveRun(row, definition(row.workflow()), settings.runs(), port);
  }

  UUID newRunId(String workflowId) {
    var given = settings.runIds();
    return given == null ? newId() : given.apply(workflowId);
  }

  /** Of the run with which a workflow goes on: where ids are given, it follows from this one's. */
  UUID nextRunId(RunRow row) {
    return newRunId(row.runId().toString());
  }

  Duration callTimeout() {
    return settings.callTimeout();
  }

  private final class JournalListener implements Journal.Listener {
    @Override
    public boolean refused(Transition transition, RuntimeException why) {
      if (!(transition instanceof Transition.Append append)) return false;
      var run = runs.of(append.run());
      if (run != null) run.lose(why);
      return run != null;
    }

    @Override
    public void stopped(RuntimeException why) {
      closed = why;
      drop(why);
    }
  }

  private void drop(RuntimeException why) {
    boolean intended = why.getCause() instanceof Store.Fenced fenced && fenced.isIntended();
    LOG.atLevel(intended ? Level.DEBUG : Level.ERROR)
        .addKeyValue("node", id)
        .log("this node has ended: {}", Texts.shown(String.valueOf(why.getMessage())));
    recovery.stop();
    lookout.stop();
    if (retention != null) retention.stop();
    runs.all().forEach(run -> run.lose(why));
    queuedRuns.drop(why);
    results.fail(why);
    onStop.run();
  }

  /** A thread of this node met an error: nothing that is in memory can be trusted. */
  void failed(Error error) {
    var what = "an error ended this node, and the engine begins anew: " + error;
    journal.stop(new RepriseException(ErrorCode.R143, what, error));
  }

  /** The store says that this node may not write any more. */
  void fenced(Store.Fenced fenced) {
    journal.stop(new RepriseException(fenced.code(), String.valueOf(fenced.getMessage()), fenced));
  }

  /** Whether it ended by an error of its own, and not because another took its place. */
  boolean hasFailed() {
    return closed instanceof RepriseException e && e.code() == ErrorCode.R143;
  }

  /** What keeps it from its work at the moment; nothing if all is well. */
  List<String> troubles() {
    var troubles = new ArrayList<String>();
    journal.trouble().ifPresent(troubles::add);
    if (!store.isPresent()) {
      troubles.add("the connection that shows other engines that this one lives is lost");
    }
    if (recovery.isBlind()) troubles.add("the database could not be asked for runs that are due");
    if (workers != null) troubles.addAll(workers.troubles());
    return troubles;
  }

  /** What callers may have under way. */
  CallBudget budget() {
    return budget;
  }

  // ---- the end ----------------------------------------------------------------------------------

  /**
   * Closes in good order: accepts nothing more, lets activities that run end for a while, writes
   * everything, frees all runs for the next engine. The store stays open.
   */
  @Override
  public void close() {
    boolean leaves = closed == null; // else it is fenced, or closed already
    try (time) {
      if (leaves) releaseRuns();
      journal.close();
      lookout.stop();
      if (retention != null) retention.close();
      recovery.close();
      if (leaves) leaveStore();
    } finally {
      results.fail(engineClosed());
    }
  }

  /** Activities that run may take a while: until they end no run waits for this node's code. */
  private void retire() {
    try {
      store.retire(id);
    } catch (RuntimeException away) {
      LOG.atDebug()
          .setCause(Texts.shown(away))
          .log("could not say that this node takes no more runs");
    }
  }

  private void leaveStore() {
    try {
      store.leave(id);
      store.wakeups().due();
    } catch (RuntimeException away) {
      LOG.atWarn()
          .setCause(Texts.shown(away))
          .log("could not say goodbye: others notice that this node is gone");
    }
  }

  static RepriseException engineClosed() {
    return new RepriseException(ErrorCode.R119, "the engine is closed");
  }

  private void releaseRuns() {
    closed = engineClosed();
    recovery.stop();
    releasePostponed();
    if (store.isShared() && !isClient()) retire();
    runs.all().forEach(LiveRun::stop);
    if (emptied()) return;
    LOG.atWarn()
        .log(
            "runs whose activities have not ended within the shutdown grace: {}. These activities"
                + " run again in the next engine",
            runs.size());
    runs.all().forEach(LiveRun::abandon);
    emptied();
  }

  /**
   * Suspects whose turn has not come have done nothing here: no later death is to count for them.
   */
  private void releasePostponed() {
    for (var row : trials.postponed()) {
      var release = new Transition.RunChange.Release(time.now());
      var _ = journal.append(new Transition.Append(row.key(), List.of(), List.of(), release));
    }
  }

  /** Waits until no run is in memory, at most for the time of grace. */
  private boolean emptied() {
    long end = machine.nanoTime() + TimeUnit.NANOSECONDS.convert(settings.shutdownGrace());
    while (!runs.isEmpty() && machine.nanoTime() - end < 0) machine.park(this, 1_000_000);
    return runs.isEmpty();
  }
}
