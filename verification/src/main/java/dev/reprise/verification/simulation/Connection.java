package dev.reprise.verification.simulation;

import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.Grouping;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.NodeRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.Wakeups;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The database as a process reaches it: every statement takes its time, and may be refused, or done
 * and not answered, or done when nobody waits for it any more. A statement that is under way is
 * done even if its process dies or stands still.
 */
class Connection implements Store {
  private static final long SLOWEST = 4_000_000_000L; // nanoseconds
  private static final long MOST_LATE = 1_500_000_000;

  private final SimulatedProcess process;
  private final Database database;
  private final Scheduler scheduler;
  private final Plan plan;
  private final Hints hints;
  private final long clockLag; // it is never ahead, and rarely exact
  private final TaskStore tasks;
  private boolean quiet; // no more faults
  private long unseenUntil;
  private int absences;
  private @Nullable Runnable whenCommitting;

  Connection(SimulatedProcess process, Database database, Plan plan, Hints hints) {
    this.process = process;
    this.database = database;
    this.scheduler = database.scheduler();
    this.plan = plan;
    this.hints = hints;
    this.clockLag = scheduler.random().nextInt(3_000_000);
    this.tasks = new TaskConnection(this);
  }

  SimulatedProcess process() {
    return process;
  }

  Database database() {
    return database;
  }

  /** From now on all statements are done. */
  void calmDown() {
    quiet = true;
  }

  /** Something happens to the process while its next batch is on its way. */
  void whenCommitting(Runnable trouble) {
    whenCommitting = trouble;
  }

  /** Something is written: if trouble waits for that, it comes before the answer. */
  final void troubleOnTheWay() {
    var trouble = whenCommitting;
    whenCommitting = null;
    if (trouble != null) scheduler.after(scheduler.random().nextLong(plan.latency()), trouble);
  }

  /** The process notices that the others cannot see it. */
  void lost(long untilNanos) {
    absences++;
    unseenUntil = Math.max(unseenUntil, untilNanos);
  }

  // ---- statements

  private enum Fate {
    DONE,
    REFUSED,
    UNANSWERED,
    LATE
  }

  /** A statement under way. */
  private final class Statement<T> {
    private final Thread thread = Thread.currentThread();
    private final Supplier<T> work;
    private final Consumer<T> whenUnheard;
    private boolean answered;
    private @Nullable T result;
    private @Nullable RuntimeException failure;

    Statement(Supplier<T> work, Consumer<T> whenUnheard) {
      this.work = work;
      this.whenUnheard = whenUnheard;
    }

    void send(Fate fate) {
      switch (fate) {
        case DONE -> scheduler.after(latency(), () -> execute(true));
        case REFUSED -> scheduler.after(latency(), this::breakOff);
        case UNANSWERED -> scheduler.after(latency(), () -> execute(false));
        case LATE -> {
          scheduler.after(latency(), this::breakOff);
          scheduler.after(scheduler.random().nextLong(MOST_LATE), () -> execute(false));
        }
      }
    }

    private void execute(boolean heard) {
      if (database.isDown()) {
        breakOff();
        return;
      }
      try {
        result = work.get();
        if (!heard || process.isDead()) whenUnheard.accept(result);
      } catch (RuntimeException e) {
        if (!answered) failure = e;
      }
      if (heard) scheduler.after(latency(), this::answer);
      else breakOff();
    }

    private void breakOff() {
      if (answered) return;
      result = null;
      failure = new StoreUnavailable("the connection broke", null);
      answer();
    }

    private void answer() {
      answered = true;
      LockSupport.unpark(thread);
    }

    @SuppressWarnings("NullAway") // a statement that has not failed has its result
    T await() {
      while (!answered) LockSupport.park(this);
      if (failure != null) throw failure;
      return result;
    }
  }

  private <T> T call(Supplier<T> work) {
    return call(work, _ -> {});
  }

  final <T> T call(Supplier<T> work, Consumer<T> whenUnheard) {
    var statement = new Statement<T>(work, whenUnheard);
    statement.send(fate());
    return statement.await();
  }

  private Fate fate() {
    if (quiet) return Fate.DONE;
    int luck = scheduler.random().nextInt(1_000);
    if (luck < plan.refused()) return counted(Fate.REFUSED);
    if ((luck -= plan.refused()) < plan.lost()) return counted(Fate.UNANSWERED);
    if (luck - plan.lost() < plan.late()) return counted(Fate.LATE);
    return Fate.DONE;
  }

  private Fate counted(Fate fate) {
    database.auditor().count("statements " + fate.toString().toLowerCase(Locale.ROOT));
    return fate;
  }

  private long latency() {
    var random = scheduler.random();
    boolean slow = !quiet && random.nextInt(1_000) < plan.slow();
    return 1 + random.nextLong(slow ? SLOWEST : plan.latency());
  }

  // ---- the store

  @Override
  public void join(Joining node) {
    call(
        () -> {
          database.join(process, node);
          return true;
        });
  }

  @Override
  public void retire(UUID node) {
    call(
        () -> {
          database.retire(node);
          return true;
        });
  }

  @Override
  public Set<String> codes() {
    return call(database::codes);
  }

  @Override
  public void leave(UUID node) {
    call(
        () -> {
          database.leave(node);
          return true;
        });
  }

  @Override
  public List<NodeRow> nodes() {
    return call(database::nodes);
  }

  @Override
  public boolean fence(NodeRow seen) {
    return call(() -> database.fence(seen));
  }

  @Override
  public Map<UUID, Long> ownedRuns() {
    return call(database::ownedRuns);
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public boolean isPresent() {
    return scheduler.now() >= unseenUntil;
  }

  @Override
  public int absences() {
    return absences;
  }

  @Override
  public InstantSource clock() {
    return () -> {
      process.beforeReading();
      return database.now().minusNanos(clockLag);
    };
  }

  @Override
  public Wakeups wakeups() {
    return hints.of(process);
  }

  @Override
  public List<Outcome> commit(Batch batch) {
    troubleOnTheWay();
    return call(() -> database.commit(batch));
  }

  @Override
  public int deleteClosed(Instant before, int limit) {
    return call(() -> database.deleteClosed(before, limit));
  }

  @Override
  public long reserveKeys(int count) {
    return call(() -> database.reserveKeys(count));
  }

  @Override
  public List<RunRow> claim(Claim claim) {
    return call(() -> database.claim(claim), rows -> database.unanswered(claim.node(), rows));
  }

  @Override
  public void tried(UUID node, long run, Trial trial) {
    call(
        () -> {
          database.tried(node, run, trial);
          return true;
        });
  }

  @Override
  public TaskStore tasks() {
    return tasks;
  }

  @Override
  public Optional<Instant> nextWake(UUID node, List<String> workflows) {
    return call(() -> database.nextWake(node, workflows));
  }

  @Override
  public List<Long> runsWithInputs(UUID node, List<String> workflows) {
    return call(() -> database.runsWithInputs(node, workflows));
  }

  @Override
  public Optional<RunRow> find(String workflowId) {
    return call(() -> database.find(workflowId));
  }

  @Override
  public List<RunRow> runs(Collection<Long> keys) {
    return call(() -> database.runs(keys));
  }

  @Override
  public List<RunRow> runsOf(String workflowId) {
    return call(() -> database.runsOf(workflowId));
  }

  @Override
  public List<EventRow> history(long run, int fromIndex, int limit) {
    return call(() -> database.history(run, fromIndex, limit));
  }

  @Override
  public List<EventRow> eventsOfType(long run, int type) {
    return call(() -> database.eventsOfType(run, type));
  }

  @Override
  public Optional<EventRow> lastEvent(long run) {
    return call(() -> database.lastEvent(run));
  }

  @Override
  public List<InputRow> inputs(long run) {
    return call(() -> database.inputs(run));
  }

  @Override
  public Map<Long, Stored> load(Collection<Long> runs, int events) {
    return call(() -> database.load(runs, events));
  }

  @Override
  public List<RunRow> list(Filter filter, long beforeKey, int limit) {
    return call(() -> database.list(filter, beforeKey, limit));
  }

  @Override
  public long count(Filter filter) {
    return call(() -> database.count(filter));
  }

  @Override
  public Map<String, Long> countBy(Filter filter, Grouping grouping) {
    return call(() -> database.countBy(filter, grouping));
  }

  @Override
  public void close() {}
}
