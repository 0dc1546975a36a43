package dev.reprise.engine.task;

import dev.reprise.RetryPolicy;
import dev.reprise.engine.machine.Errands;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.replay.RunSettings;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The workers of an engine, and what they share. They outlive its nodes: what a worker does counts
 * by the lease of its task, not by that of a node.
 */
public final class Workers {
  private static final int MANY = 1_000; // runs that begin at once; admission does the rest
  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5); // with reports, when closing

  private final Store store;
  private final RunSettings settings;
  private final TaskPort port;
  private final Duration grace;
  private final Errands errands = new Errands();
  private final Reporter reporter;
  private final Sweep sweep;
  private final Dispatch dispatch;
  private volatile long graceEnd; // when closing ends, once it has begun
  private final List<Worker> workers = new CopyOnWriteArrayList<>();

  /**
   * @param grace how long closing waits for attempts that run
   */
  public Workers(Store store, RunSettings settings, TaskPort port, Duration grace) {
    this.store = store;
    this.settings = settings;
    this.port = port;
    this.grace = grace;
    this.reporter = new Reporter(settings.machine(), store.tasks(), port, errands);
    this.sweep =
        new Sweep(
            settings.machine(), store, port, reporter, settings.retry(), this::announce, errands);
    this.dispatch = new DatabaseDispatch();
  }

  /**
   * Begins to look after tasks, where workflows run; a client does so when it serves a queue.
   *
   * @param workflows that this engine can run: those that wait for their time only are served here
   */
  public void start(Collection<String> workflows) {
    if (workflows.isEmpty()) return;
    add(new Worker("", MANY, this, Map.of(), workflows));
  }

  /**
   * Serves a queue from now on.
   *
   * @param retry what counts for activities that say nothing themselves, or null for the engine's
   * @param workflows that this engine can run
   */
  public Worker serve(
      String queue, int concurrency, @Nullable RetryPolicy retry, Collection<String> workflows) {
    var activities = new TreeMap<String, RetryPolicy>();
    for (var name : settings.activities().names()) activities.put(name, policy(name, retry));
    return add(new Worker(queue, concurrency, this, activities, workflows));
  }

  private Worker add(Worker worker) {
    workers.add(worker);
    sweep.start();
    worker.start();
    return worker;
  }

  private RetryPolicy policy(String activity, @Nullable RetryPolicy ofWorker) {
    var own = settings.activities().retry(activity);
    if (own != null) return own;
    return ofWorker == null ? settings.retry() : ofWorker;
  }

  void closed(Worker worker) {
    workers.remove(worker);
  }

  // ---- hints ------------------------------------------------------------------------------------

  /** Something on a queue may be ready for a worker here. */
  public void ready(String queue) {
    for (var worker : workers) if (worker.queue().equals(queue)) worker.soon();
  }

  /** Something on a queue may be ready, for a worker here or elsewhere. */
  public void announce(String queue) {
    dispatch.announce(queue);
  }

  /** Hints may have been lost, or timers. */
  public void missed() {
    workers.forEach(Worker::soon);
    sweep.soon();
  }

  /** A task is overdue then. */
  public void overdueAt(Instant then) {
    sweep.dueAt(then);
  }

  /** Tasks of this engine were cancelled. */
  public void overdue() {
    sweep.soon();
  }

  // ---- for its parts ----------------------------------------------------------------------------

  void leased(Instant until, @Nullable Instant deadline) {
    sweep.dueAt(deadline == null || until.isBefore(deadline) ? until : deadline);
  }

  QueuedAttempt attempt(
      Handout task, Map<String, RetryPolicy> policies, Consumer<QueuedAttempt> whenOver) {
    return new QueuedAttempt(task, policies, settings, port, reporter, this, whenOver);
  }

  Machine machine() {
    return settings.machine();
  }

  TaskStore store() {
    return store.tasks();
  }

  TaskPort port() {
    return port;
  }

  Dispatch dispatch() {
    return dispatch;
  }

  Errands errands() {
    return errands;
  }

  Duration grace() {
    return grace;
  }

  /** Whether much of what attempts came to is not stored yet: nothing more is begun meanwhile. */
  boolean areBehind() {
    return !reporter.hasRoom();
  }

  /** Stores a report of somebody who completes an activity from outside. */
  public CompletableFuture<Report.Reply> report(Report report) {
    return reporter.report(report);
  }

  /** Straight from the database: who takes looks there, and hints make others look. */
  private final class DatabaseDispatch implements Dispatch {
    @Override
    public List<Handout> take(TaskStore.Take take) {
      return store.tasks().take(take);
    }

    @Override
    public void announce(String queue) {
      ready(queue);
      port.announce(queue);
    }
  }

  // ---- rest -------------------------------------------------------------------------------------

  /** Whether something is on its way to or from the store; see {@code Motion}. */
  public boolean areBusy() {
    return !errands.areDone();
  }

  /** What keeps them from their work at the moment; nothing if all is well. */
  public List<String> troubles() {
    var troubles = new ArrayList<String>();
    for (var worker : workers) {
      if (worker.isBlind()) troubles.add("the database could not be asked for " + worker.work());
    }
    if (areBehind()) {
      troubles.add("workers stand still until what became of activities is stored");
    } else if (reporter.isMute()) {
      troubles.add("what became of activities could not be stored");
    }
    return troubles;
  }

  /** How much there has ever been. */
  public long count() {
    return errands.count();
  }

  /** How many attempts run. */
  public int running() {
    int sum = 0;
    for (var worker : workers) sum += worker.running();
    return sum;
  }

  /** Takes nothing more; what runs has its time of grace from now on. */
  public void stop() {
    workers.forEach(Worker::stop);
    graceEnd = machine().nanoTime() + TimeUnit.NANOSECONDS.convert(grace); // may be for ever
  }

  /** Takes nothing more, waits for what runs, and gives the rest back. */
  public void close() {
    if (graceEnd == 0) stop();
    for (var worker : workers) worker.drain(graceEnd);
    long end = machine().nanoTime() + PATIENCE.toNanos();
    while (areBusy() && machine().nanoTime() - end < 0) machine().park(this, PAUSE.toNanos());
    sweep.stop();
    reporter.stop();
  }
}
