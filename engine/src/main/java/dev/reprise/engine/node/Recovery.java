package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Texts;
import dev.reprise.engine.machine.Agenda;
import dev.reprise.engine.machine.Errands;
import dev.reprise.engine.machine.Pace;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.replay.RunPort;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Claim;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Store.Stored;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.Store.Trial;
import dev.reprise.engine.store.Suspicion;
import dev.reprise.engine.store.Wakeups;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings runs from the store into memory: those that are due, those with inputs, those that were
 * lost. Lazily: a run that sleeps for a month is not loaded for a month.
 *
 * <p>All reading of the store happens here, on platform threads of the engine's own: an interrupt
 * of a virtual thread could break a database connection.
 */
final class Recovery implements Wakeups.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
  private static final int BATCH = 200; // one screen of work, then look at the room again
  private static final int PAGE = 1_000; // events a read
  private static final int SHORT = 100; // events of most runs are fewer: many runs a read
  private static final int READERS = 2;
  private static final int MAX_LOSSES = 3; // of one run, before it is held
  private static final Duration FLOOR = Duration.ofSeconds(1); // a hint usually comes first
  private static final Duration BRISK = Duration.ofMillis(200); // hints of others may be lost
  private static final Duration RETRY = Duration.ofMillis(100); // a reading that found no database
  static final Duration AHEAD = Duration.ofSeconds(1); // loaded early, to be on time
  private static final Duration PATIENCE = Duration.ofSeconds(5); // with readings, when closing

  private final Node node;
  private final Store store;
  private final Timers timers;
  private final List<String> workflows;
  private final Agenda loader;
  private final Watchdog watchdog;
  private final ExecutorService readers;
  private final Errands errands = new Errands();
  private final AtomicBoolean asked = new AtomicBoolean();
  private final Queue<LiveRun> fetching = new ConcurrentLinkedQueue<>(); // runs that want inputs
  private final AtomicBoolean fetchAsked = new AtomicBoolean();
  private final Map<Long, Integer> losses = new ConcurrentHashMap<>();
  private final Pace pace;
  private RunPort.@Nullable Timer alarm;
  private volatile boolean blind; // the last look failed
  private volatile boolean starved; // due runs may wait for room
  private volatile boolean stopped;

  Recovery(Node node, Store store, Timers timers, List<String> workflows) {
    this.node = node;
    this.store = store;
    this.timers = timers;
    this.workflows = workflows;
    var machine = node.machine();
    this.pace = new Pace(machine, store.isShared() ? BRISK : FLOOR, FLOOR);
    this.watchdog = new Watchdog(machine, node.admission()::active);
    this.loader = new Agenda(machine, "reprise-loader", node::failed);
    this.readers =
        Executors.newFixedThreadPool(READERS, work -> machine.service("reprise-reader", work));
  }

  void start() {
    if (workflows.isEmpty()) return; // a client runs nothing
    loader.add(this::watchAgain, Watchdog.LOOK);
    lookAgain();
  }

  void stop() {
    stopped = true;
    loader.stop();
  }

  /** Looks for due runs now. Asking twice is as good as once. */
  void soon() {
    if (stopped || workflows.isEmpty()) return;
    loader.addOnce(asked, errands, this::look, Duration.ZERO);
  }

  /** The floor under all hints, which may be lost. */
  private void lookAgain() {
    soon();
    loader.add(this::lookAgain, pace.next());
  }

  /** What its thread has to do, the looks that come from time to time apart. */
  Errands errands() {
    return errands;
  }

  /** Whether it could not look for due runs the last time. */
  boolean isBlind() {
    return blind;
  }

  /** A run has left its place: those that waited for one may come. */
  void roomAgain() {
    if (starved) soon();
  }

  /** Does it on the loader's thread, again and again until the store answers. */
  private void submit(Runnable work) {
    loader.add(errands.counted(() -> attempt(work)), Duration.ZERO);
  }

  private void attempt(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      if (stopped) return;
      LOG.atWarn().log("could not read the store, trying again: {}", shown(e));
      loader.add(errands.counted(() -> attempt(work)), FLOOR);
    }
  }

  /** If the store does not answer, the next look comes by itself. */
  private void look() {
    asked.set(false);
    try {
      poll();
      blind = false;
    } catch (Store.Fenced fenced) {
      node.fenced(fenced);
    } catch (RuntimeException e) {
      if (stopped) return;
      if (!blind) LOG.atWarn().log("could not look for due runs: {}", shown(e));
      blind = true;
    }
  }

  private void poll() {
    var now = node.now();
    starved = true; // first, so that room that comes free from here on is noticed
    int room = Math.min(BATCH, node.admission().room());
    if (room > 0) {
      starved = false;
      var claimed = claim(now, Trial.NONE, room);
      loadOrTry(claimed);
      if (!claimed.isEmpty()) pace.found();
      if (claimed.size() == room) soon();
      else trySuspect(now);
    }
    if (store.isShared()) inputsFor(store.runsWithInputs(node.id(), workflows));
    store.nextWake(node.id(), workflows).ifPresent(wake -> alarm(wake, now));
  }

  private List<RunRow> claim(Instant now, Trial trial, int room) {
    var except = node.routes().leftToOthers();
    return store.claim(new Claim(node.id(), workflows, now.plus(AHEAD), trial, room, except));
  }

  // ---- suspects

  private void trySuspect(Instant now) {
    var trials = node.trials();
    trials.alone().ifPresent(row -> attempt(() -> begin(row)));
    trials.next().ifPresent(trial -> loadOrTry(claim(now, trial, 1)));
  }

  /** The answer may have runs of an earlier claim whose answer was lost, suspects or not. */
  private void loadOrTry(List<RunRow> claimed) {
    load(claimed.stream().filter(row -> !isOnTrial(row)).toList());
    claimed.stream().filter(Recovery::isOnTrial).forEach(this::tryOne);
  }

  private static boolean isOnTrial(RunRow row) {
    return new Suspicion(row.crashes()).isOnTrial();
  }

  private void tryOne(RunRow row) {
    if (!Trials.isOver(row)) {
      attempt(() -> begin(row));
      return;
    }
    node.block(row, Trials.verdict(row));
    soon();
  }

  /**
   * The store must know how the run is tried before it is in memory: an engine may not live to tell
   * it afterwards.
   */
  private void begin(RunRow row) {
    var trials = node.trials();
    var trial = trials.isEmpty() ? Trial.ALONE : Trial.IN_COMPANY;
    if (trial == Trial.IN_COMPANY && Trials.mustBeAlone(row)) {
      trials.postpone(row);
      return;
    }
    store.tried(node.id(), row.key(), trial);
    trials.markedAlone().ifPresent(other -> store.tried(node.id(), other, Trial.IN_COMPANY));
    trials.shared();
    LOG.atWarn()
        .addKeyValue("workflow.id", Texts.shown(row.workflowId()))
        .log(
            "{} engines died with this run in memory, trying it {}",
            new Suspicion(row.crashes()).deaths(),
            trial == Trial.ALONE ? "alone" : "with others");
    var pause = trials.begin(row, trial);
    load(List.of(row));
    loader.add(this::soon, pause);
  }

  // ---- hints of other processes

  /** Of these runs, those that are in memory here take in what others have accepted for them. */
  @Override
  public void inputsFor(Collection<Long> runs) {
    for (var key : runs) {
      var run = node.inMemory().of(key);
      if (run != null) run.fetchInputs();
    }
  }

  @Override
  public void due() {
    soon();
  }

  @Override
  public void tasksOn(Collection<String> queues) {
    queues.forEach(node.queues()::ready);
  }

  @Override
  public void missed() {
    soon();
    node.queues().missed();
  }

  private void alarm(Instant wake, Instant looked) {
    var at = wake.minus(AHEAD);
    if (!at.isAfter(looked)) return; // due but not ours to run, or no room: the floor looks
    if (alarm != null) alarm.cancel();
    alarm = timers.at(at, this::soon);
  }

  /** Runs are entered before their inputs are read, so that none falls in between. */
  private void load(List<RunRow> rows) {
    if (rows.isEmpty()) return;
    var runs = rows.stream().map(node::create).toList();
    runs.forEach(node::enter);
    attempt(() -> begin(runs));
  }

  /** One whose history lies on a broken page is held, and the others begin. */
  private void begin(List<LiveRun> runs) {
    List<Stored> stored;
    try {
      stored = stored(runs);
    } catch (StoreUnavailable away) {
      throw away;
    } catch (RepriseException broken) {
      if (runs.size() == 1) node.hold(runs.getFirst(), broken);
      else for (var run : runs) attempt(() -> begin(List.of(run)));
      return;
    }
    var others = node.routes().ofOthers(runs, stored); // reads the store, so before any begins
    for (int i = 0; i < runs.size(); i++) {
      var run = runs.get(i);
      if (others.contains(run.row().key())) run.abandon();
      else node.goOn(run, stored.get(i).events(), stored.get(i).inputs());
    }
  }

  private List<Stored> stored(List<LiveRun> runs) {
    var loaded = store.load(runs.stream().map(run -> run.row().key()).toList(), SHORT);
    return runs.stream().map(run -> whole(run, loaded)).toList();
  }

  private Stored whole(LiveRun run, Map<Long, Stored> loaded) {
    var stored = Objects.requireNonNull(loaded.get(run.row().key()));
    var history = new ArrayList<>(stored.events());
    if (history.size() == SHORT) complete(history, run.row().key());
    return new Stored(history, stored.inputs());
  }

  /** The first events of a run. */
  List<EventRow> history(long run, int count) {
    var events = new ArrayList<EventRow>();
    while (events.size() < count) {
      int wanted = Math.min(PAGE, count - events.size());
      events.addAll(store.history(run, events.size() + 1, wanted));
    }
    return events;
  }

  /** The whole history of a run. */
  List<EventRow> history(long run) {
    var events = new ArrayList<EventRow>();
    complete(events, run);
    return events;
  }

  private void complete(List<EventRow> events, long run) {
    List<EventRow> page;
    do {
      page = store.history(run, events.size() + 1, PAGE);
      events.addAll(page);
    } while (page.size() == PAGE);
  }

  /** Does it on the loader's thread. */
  void later(Runnable work) {
    submit(work);
  }

  /** Many that ask meanwhile are answered by one reading. */
  void fetchInputs(LiveRun run) {
    fetching.add(run);
    if (fetchAsked.compareAndSet(false, true)) submit(this::fetch);
  }

  private void fetch() {
    fetchAsked.set(false);
    var asking = new ArrayList<LiveRun>();
    for (var run = fetching.peek(); run != null; run = fetching.peek()) {
      asking.add(fetching.remove());
      if (asking.size() == BATCH) break;
    }
    if (asking.isEmpty()) return;
    try {
      offerInputs(asking);
    } catch (RuntimeException away) {
      fetching.addAll(asking); // the order of runs does not matter
      throw away;
    }
    if (!fetching.isEmpty() && fetchAsked.compareAndSet(false, true)) submit(this::fetch);
  }

  /** A run whose inputs lie on a broken page is held, and the others do not wait for that. */
  private void offerInputs(List<LiveRun> asking) {
    try {
      var keys = asking.stream().map(run -> run.row().key()).distinct().toList();
      var inputs = store.inputs(keys);
      for (var run : asking) run.offer(inputs.getOrDefault(run.row().key(), List.of()));
    } catch (StoreUnavailable away) {
      throw away;
    } catch (RepriseException broken) {
      if (asking.size() == 1) asking.getFirst().hold(broken);
      else for (var run : asking) attempt(() -> offerInputs(List.of(run)));
    }
  }

  /**
   * Brings back a run whose memory is ahead of the store; one that is lost again and again is held,
   * unless it is the store that was away.
   */
  void reload(RunRow row, RuntimeException why) {
    boolean isItsOwn = !(why instanceof StoreUnavailable);
    if (isItsOwn && losses.merge(row.key(), 1, Integer::sum) > MAX_LOSSES) {
      losses.remove(row.key());
      node.block(row, String.valueOf(why.getMessage()));
      return;
    }
    LOG.atWarn()
        .addKeyValue("workflow.id", Texts.shown(row.workflowId()))
        .setCause(Texts.shown(why))
        .log("run lost, loading");
    // If the last it wrote was its release, a look may have claimed it since.
    submit(() -> store.find(row.workflowId()).filter(this::isNotHere).ifPresent(this::reloaded));
  }

  private boolean isNotHere(RunRow row) {
    return node.inMemory().of(row.key()) == null;
  }

  /** Brings back a run whose code has ended, to be undone. */
  void reload(RunRow row) {
    submit(() -> store.find(row.workflowId()).ifPresent(this::reloaded));
  }

  /** The last write may have been stored after all, and may have been the end. */
  private void reloaded(RunRow now) {
    if (now.status().isActive() && node.id().equals(now.owner())) load(List.of(now));
    else node.tell(now);
  }

  /** A run has ended well. */
  void forget(long run) {
    if (!losses.isEmpty()) losses.remove(run);
  }

  private void watchAgain() {
    watchdog.look();
    loader.add(this::watchAgain, Watchdog.LOOK);
  }

  private static String shown(RuntimeException e) {
    return Texts.shown(String.valueOf(e.getMessage()));
  }

  /** Reads for a caller, again and again while there is no answer, as long as it should wait. */
  <T> T read(Supplier<T> reading) {
    return read(reading, Limit.of(node.machine(), node.callTimeout()));
  }

  /** The same, for a caller that has waited for other things already. */
  <T> T read(Supplier<T> reading, Limit limit) {
    StoreUnavailable answered = null;
    for (; ; ) {
      try {
        return readOnce(reading, limit);
      } catch (StoreUnavailable away) {
        // What the database said last says more than that it then said nothing.
        if (answered == null || !(away.getCause() instanceof TimeoutException)) answered = away;
        if (stopped || isFinal(answered) || isNearlyOver(limit)) throw answered;
        node.machine().park(this, RETRY.toNanos());
      } catch (TransitionRefused refused) {
        throw new RepriseException(
            ErrorCode.R121, "the database refused to answer: " + refused.getMessage(), refused);
      }
    }
  }

  /**
   * A server may be mended, or be another one after a failover, while callers wait. A file that is
   * gone stays so.
   */
  private boolean isFinal(StoreUnavailable away) {
    return !away.isRetryable() && !store.isShared();
  }

  /** Whether another reading would come too late. */
  static boolean isNearlyOver(Limit limit) {
    return limit.left().compareTo(RETRY) <= 0;
  }

  /** A database that says nothing must not hold the caller up: after that time nobody waits. */
  private <T> T readOnce(Supplier<T> reading, Limit limit) {
    CompletableFuture<T> answer;
    try {
      answer = CompletableFuture.supplyAsync(reading, readers);
    } catch (RejectedExecutionException closed) {
      throw node.whyClosed();
    }
    try {
      return node.machine().await(answer, limit.left());
    } catch (TimeoutException late) {
      answer.cancel(false); // if it has not begun by now, nobody needs it
      throw noAnswer(limit, late);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : failed(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw noAnswer(limit, e);
    }
  }

  private static StoreUnavailable noAnswer(Limit limit, Exception late) {
    return new StoreUnavailable(
        "the database did not answer within %s".formatted(limit.length()), late);
  }

  /**
   * An {@link Error} while something was read for a caller. It concerns nobody else: what is in
   * memory is as good as before. Only what could not be linked stays broken, and the node ends.
   */
  private RuntimeException failed(@Nullable Throwable error) {
    if (error instanceof LinkageError broken) {
      node.failed(broken);
      return node.whyClosed();
    }
    return new ReadFailed(error);
  }

  /** A reading for a caller met an {@link Error}, and the node lives. */
  static final class ReadFailed extends RepriseException {
    private static final long serialVersionUID = 1L;

    ReadFailed(@Nullable Throwable error) {
      super(ErrorCode.R143, "an error met what was to be read from the database: " + error, error);
    }
  }

  /** Waits until nobody reads any more: the store is closed next. */
  void close() {
    stop();
    readers.shutdown();
    boolean quiet = loader.awaitEnd(PATIENCE) && ended(readers);
    if (!quiet) LOG.atWarn().log("the store is closed while it is being read");
  }

  private static boolean ended(ExecutorService executor) {
    try {
      return executor.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
