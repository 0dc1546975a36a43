package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.journal.Journal;
import dev.reprise.engine.journal.Ticket;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.replay.RunPort;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One incarnation of an engine process: takes starts and signals in, has runs in memory, and is the
 * port through which they reach the journal, the timers and each other.
 */
public final class Node implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  private final UUID id = RunIds.next();
  private final Store store;
  private final Time time;
  private final Map<String, WorkflowDefinition> definitions;
  private final NodeSettings settings;
  private final Port port = new Port();
  private final Timers timers;
  private final Journal journal;
  private final Admission admission;
  private final ParkedRuns parked;
  private final Recovery recovery;
  private final RunKeys keys;
  private final Results results = new Results();
  private final ConcurrentMap<String, LiveRun> runs = new ConcurrentHashMap<>();
  private volatile @Nullable RuntimeException closed; // why nothing is accepted any more

  /** Joins the store and begins to run what is due. */
  public Node(
      Store store, Time time, Map<String, WorkflowDefinition> definitions, NodeSettings settings) {
    this.store = store;
    this.time = time;
    this.definitions = Map.copyOf(definitions);
    this.settings = settings;
    this.admission = new Admission(settings.activeRuns());
    this.parked = new ParkedRuns(settings.memoryBudget());
    store.join(new Store.Joining(id, Host.name(), false, java.time.Duration.ofSeconds(10)));
    this.timers = new Timers(time);
    this.keys = new RunKeys(store);
    this.journal = new Journal(store, id, new JournalListener());
    this.recovery = new Recovery(this, store, timers, List.copyOf(this.definitions.keySet()));
    recovery.start();
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

  /** A new run, or the existing one with the same workflow and input. Returns when durable. */
  public Started start(WorkflowDefinition definition, String workflowId, Payload input) {
    checkOpen();
    var now = time.now();
    var row =
        new RunRow(
            keys.next(),
            RunIds.next(),
            workflowId,
            definition.name(),
            dev.reprise.Status.RUNNING,
            id,
            now,
            now,
            null,
            null,
            0);
    var started = new Event.WorkflowStarted(definition.name(), workflowId, row.runId(), input);
    var first = EventRow.of(new Recorded(1, now, null, started));
    var run = new LiveRun(row, definition, settings.runs(), port);
    var end = results.watch(row.key());
    var ticket = journal.appendAwaited(new Transition.Start(row, first));
    ticket.onDone(
        (outcome, _) -> {
          if (outcome != Outcome.STORED) return;
          enter(run);
          begin(run, List.of(first), List.of());
        });
    if (ticket.await() == Outcome.STORED) return new Started(row, end);
    results.forget(row.key());
    return new Started(existing(definition, workflowId, input), null);
  }

  /**
   * A run that was started, now or earlier.
   *
   * @param end completes when it ends, if it was started now
   */
  public record Started(RunRow row, @Nullable CompletableFuture<RunPort.End> end) {}

  private RunRow existing(WorkflowDefinition definition, String workflowId, Payload input) {
    var row = find(workflowId).orElseThrow();
    var first = read(() -> store.history(row.key(), 1, 1)).getFirst().recorded().event();
    if (first instanceof Event.WorkflowStarted before
        && before.workflow().equals(definition.name())
        && before.input().equals(input)) {
      return row;
    }
    throw new RepriseException(
        ErrorCode.R105,
        "workflow id '%s' is in use by %s, started at %s with other input: choose another id, or"
                .formatted(workflowId, row.workflow(), row.startedAt())
            + " give the same input to get the existing run");
  }

  /** Takes in a signal. Returns when it is durable. */
  public void signal(String workflowId, String name, Payload value) {
    checkOpen();
    var run = runs.get(workflowId);
    if (run != null) {
      switch (run.signal(name, value).join()) {
        case ACCEPTED -> {
          return;
        }
        case CLOSED -> throw closedRun(workflowId);
        case GONE -> checkOpen();
      }
    }
    var row = find(workflowId).orElseThrow(() -> unknownRun(workflowId));
    if (row.status().isClosed()) throw closedRun(workflowId);
    var input =
        new InputRow(
            0,
            row.key(),
            InputRow.Kind.SIGNAL,
            name,
            UUID.randomUUID().toString(),
            value.bytes(),
            time.now());
    if (journal.append(new Transition.Accept(input)).await() != Outcome.STORED) {
      throw closedRun(workflowId);
    }
    hint(workflowId);
  }

  /** Lets a blocked run try again. */
  public void resume(String workflowId) {
    checkOpen();
    var row = find(workflowId).orElseThrow(() -> unknownRun(workflowId));
    var unblock = new RunChange.Unblock(time.now());
    journal.append(new Transition.Append(row.key(), List.of(), List.of(), unblock)).await();
    recovery.soon();
  }

  public Optional<RunRow> find(String workflowId) {
    return read(() -> store.find(workflowId));
  }

  public static RepriseException unknownRun(String workflowId) {
    return new RepriseException(
        ErrorCode.R113, "there is no workflow with the id '%s'".formatted(workflowId));
  }

  private static RepriseException closedRun(String workflowId) {
    return new RepriseException(
        ErrorCode.R114, "workflow '%s' is closed and takes no input".formatted(workflowId));
  }

  /** The run if it is in memory. */
  public Optional<LiveRun> inMemory(String workflowId) {
    return Optional.ofNullable(runs.get(workflowId));
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

  private void checkOpen() {
    if (closed != null) throw closed;
  }

  // ---- runs come and go -------------------------------------------------------------------------

  /** From now on the run is in memory, and inputs for it are handed to it. */
  void enter(LiveRun run) {
    runs.put(run.row().workflowId(), run);
  }

  /** The code of a run in memory begins when its turn comes. */
  void begin(LiveRun run, List<EventRow> history, List<InputRow> inputs) {
    if (closed != null) {
      run.abandon();
      return;
    }
    admission.admit(run, () -> run.begin(history, inputs));
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
      var last = store.lastEvent(row.key()).orElseThrow();
      results.tell(row.key(), new RunPort.End.Closed(last.recorded()));
    }
  }

  /** Holds a run that cannot be written. */
  void block(RunRow row, String reason) {
    var block = new RunChange.Block(reason);
    var _ = journal.append(new Transition.Append(row.key(), List.of(), List.of(), block));
    results.tell(row.key(), new RunPort.End.Blocked(reason));
  }

  LiveRun revive(RunRow row) {
    return new LiveRun(row, definition(row.workflow()), settings.runs(), port);
  }

  Admission admission() {
    return admission;
  }

  Instant now() {
    return time.now();
  }

  UUID id() {
    return id;
  }

  /** Something waits for this run in the store. */
  private void hint(String workflowId) {
    var run = runs.get(workflowId);
    if (run != null) run.fetchInputs();
    else recovery.soon();
  }

  private final class Port implements RunPort {
    @Override
    public Instant now() {
      return time.now();
    }

    @Override
    public Ticket append(Transition transition) {
      return journal.append(transition);
    }

    @Override
    public Ticket appendAwaited(Transition transition) {
      return journal.appendAwaited(transition);
    }

    @Override
    public Timer at(Instant due, Runnable action) {
      return timers.at(due, action);
    }

    @Override
    public void parked(LiveRun run) {
      parked.add(run).forEach(Node.this::evict);
      leave(run);
    }

    @Override
    public void woken(LiveRun run) {
      parked.remove(run);
      admission.enter(run);
    }

    @Override
    public void fetchInputs(LiveRun run) {
      recovery.fetchInputs(run);
    }

    @Override
    public void ended(LiveRun run, End end) {
      runs.remove(run.row().workflowId(), run);
      parked.remove(run);
      leave(run);
      switch (end) {
        case End.Closed _, End.Blocked _ -> {
          results.tell(run.row().key(), end);
          recovery.forget(run.row().key());
        }
        case End.Released _ -> recovery.soon();
        case End.Lost(var why) -> {
          if (closed == null) recovery.reload(run.row(), why);
        }
      }
    }
  }

  private void leave(LiveRun run) {
    admission.leave(run);
    recovery.roomAgain();
  }

  private final class JournalListener implements Journal.Listener {
    @Override
    public void refused(Transition transition, RuntimeException why) {
      if (!(transition instanceof Transition.Append append)) return;
      for (var run : runs.values()) if (run.row().key() == append.run()) run.lose(why);
    }

    @Override
    public void stopped(RuntimeException why) {
      LOG.atError().addKeyValue("node", id).log("this node writes no more: {}", why.getMessage());
      closed = why;
      recovery.stop();
      runs.values().forEach(run -> run.lose(why));
      results.fail(why);
    }
  }

  // ---- the end ----------------------------------------------------------------------------------

  /**
   * Closes in good order: accepts nothing more, lets activities that run end for a while, writes
   * everything, frees all runs for the next engine.
   */
  @Override
  public void close() {
    boolean leaves = closed == null; // else it is fenced, or closed already
    try (store;
        time) { // in any case: what is left open would keep the next engine out
      if (leaves) releaseRuns();
      journal.close();
      recovery.close();
      if (leaves) store.leave(id);
    } finally {
      results.fail(engineClosed());
    }
  }

  private static RepriseException engineClosed() {
    return new RepriseException(ErrorCode.R119, "the engine is closed");
  }

  private void releaseRuns() {
    closed = engineClosed();
    recovery.stop();
    runs.values().forEach(LiveRun::stop);
    if (emptied()) return;
    LOG.atWarn().log("{} runs still run activities, they are left behind", runs.size());
    runs.values().forEach(LiveRun::abandon);
    emptied();
  }

  /** Waits until no run is in memory, at most for the time of grace. */
  private boolean emptied() {
    long end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(settings.shutdownGrace());
    while (!runs.isEmpty() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(1_000_000);
    }
    return runs.isEmpty();
  }
}
