package dev.reprise.verification.simulation;

import dev.reprise.engine.machine.Machine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A process: threads that run, stand still and die together. It is the machine of the engine in it.
 */
final class SimulatedProcess implements Machine, Executor {
  private final Scheduler scheduler;
  private final Sabotage sabotage;
  private final int number;
  private final String name;
  private final List<Runnable> ready = new ArrayList<>();
  private boolean dead;
  private boolean frozen;
  private long frozenSince;
  private long frozenFor; // all freezes together
  private int readings; // of clocks, until a thread stands still before the last of them
  private long pause; // for how long then
  private Runnable whenPaused = () -> {};
  private @Nullable Long answer; // to the next reading of its clock, by a sabotage
  private Runnable whenDead = () -> {};

  SimulatedProcess(Scheduler scheduler, int number, String name, Sabotage sabotage) {
    this.scheduler = scheduler;
    this.sabotage = sabotage;
    this.number = number;
    this.name = name;
    scheduler.add(this);
  }

  int number() {
    return number;
  }

  // ---- its life

  boolean isDead() {
    return dead;
  }

  boolean isFrozen() {
    return frozen;
  }

  void kill() {
    if (dead) return;
    dead = true;
    ready.clear();
    whenDead.run();
  }

  /** What happens when it dies. */
  void whenDead(Runnable action) {
    whenDead = action;
  }

  void freeze() {
    frozen = true;
    frozenSince = scheduler.now();
  }

  void thaw() {
    if (frozen) frozenFor += scheduler.now() - frozenSince;
    frozen = false;
  }

  /** A thread of it will stand still before the reading of a clock that is that many away. */
  void standStill(int readingsFromNow, long nanos, Runnable action) {
    readings = readingsFromNow;
    pause = nanos;
    whenPaused = action;
  }

  /** A thread is about to read a clock, its own or that of the database. */
  void beforeReading() {
    if (readings == 0 || --readings > 0) return;
    scheduler.pass(pause);
    whenPaused.run();
  }

  boolean canRun() {
    return !dead && !frozen && !ready.isEmpty();
  }

  /** Runs one of the threads that could, until it waits. */
  void runOne(RandomGenerator random) {
    int drawn = random.nextInt(ready.size());
    var last = ready.removeLast();
    var task = drawn == ready.size() ? last : ready.set(drawn, last);
    task.run();
  }

  /** Called by the JDK when a thread of this process can run. */
  @Override
  public void execute(Runnable continuation) {
    if (!dead && scheduler.isInside()) ready.add(continuation);
  }

  /** Begins a thread in it. */
  Thread begin(String what, Runnable work) {
    var thread = fiber(what, work);
    thread.start();
    return thread;
  }

  void sleep(Duration duration) {
    long end = scheduler.now() + duration.toNanos();
    while (scheduler.now() < end) park(this, end - scheduler.now());
  }

  // ---- the machine

  @Override
  public String name() {
    return name;
  }

  /** Its next reading of its own clock is that. */
  void answerNext(long nanos) {
    answer = nanos;
  }

  @Override
  public long nanoTime() {
    if (answer != null) {
      long before = answer;
      answer = null;
      return before;
    }
    beforeReading();
    return sabotage == Sabotage.CLOCK_STOPS_WHILE_FROZEN
        ? scheduler.now() - frozenFor
        : scheduler.now();
  }

  @Override
  public RandomGenerator random() {
    return scheduler.random();
  }

  @Override
  public Thread service(String what, Runnable work) {
    return fiber(what, work);
  }

  @Override
  public Thread fiber(String what, Runnable work) {
    return SimulatedThreads.unstarted(this, what, scheduler.own(work));
  }

  @Override
  public void park(Object blocker, long nanos) {
    var thread = Thread.currentThread();
    var alarm = scheduler.after(nanos, () -> LockSupport.unpark(thread));
    LockSupport.park(blocker);
    alarm.cancel();
  }

  @Override
  public <T extends @Nullable Object> T await(CompletableFuture<T> future, Duration limit)
      throws TimeoutException, ExecutionException, InterruptedException {
    var thread = Thread.currentThread();
    long end = scheduler.now() + nanos(limit);
    if (!future.isDone()) {
      var _ = future.whenComplete((_, _) -> LockSupport.unpark(thread));
    }
    while (!future.isDone()) {
      long left = end - scheduler.now();
      if (left <= 0) throw new TimeoutException("not within " + limit);
      park(future, left);
      if (Thread.interrupted()) throw new InterruptedException();
    }
    return future.get();
  }

  private static long nanos(Duration limit) {
    return limit.compareTo(Duration.ofDays(365)) > 0
        ? Duration.ofDays(365).toNanos()
        : limit.toNanos();
  }

  @Override
  public String toString() {
    return name;
  }
}
