package dev.reprise.engine.task;

import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Texts;
import dev.reprise.engine.event.RetryJson;
import dev.reprise.engine.machine.Agenda;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Pace;
import dev.reprise.engine.replay.RunPort;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.WorkerRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a queue: takes what is ready, as much as it has room for, and makes the attempts. Made by
 * {@code engine.worker("gpu", 8)}; ends with the engine, or when it is closed.
 */
public final class Worker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
  private static final Duration FLOOR = Duration.ofSeconds(1); // a hint usually comes first
  private static final Duration IDLE = Duration.ofSeconds(2); // the same where nothing comes
  private static final Duration SEEN = Duration.ofSeconds(10); // between two signs of life
  private static final Duration RETRY = Duration.ofMillis(100);
  private static final int MOST_VAIN = 10; // powers of two, in milliseconds: then as often as FLOOR

  private final UUID id;
  private final String queue;
  private final int concurrency;
  private final Workers workers;
  private final Machine machine;
  private final Map<String, RetryPolicy> activities;
  private final Map<String, String> offer; // what it can run, as the store takes it
  private final Agenda agenda;
  private final Pace pace;
  private final AtomicBoolean asked = new AtomicBoolean();
  private final Set<QueuedAttempt> running = new LinkedHashSet<>(); // guarded by itself
  private int beginning; // runs that are about to begin; guarded by the same
  private @Nullable UUID hand; // of a take that was not answered
  private RunPort.@Nullable Timer alarm;
  private int vain; // looks one after the other that found nothing although it was time
  private volatile boolean blind; // the last take failed
  private long lastWatched; // when it looked for attempts that take long
  private volatile boolean draining;

  /**
   * @param activities that it can run, with what counts for their retries
   * @param workflows that it can run
   */
  Worker(
      String queue,
      int concurrency,
      Workers workers,
      Map<String, RetryPolicy> activities,
      Collection<String> workflows) {
    this.queue = queue;
    this.concurrency = concurrency;
    this.workers = workers;
    this.machine = workers.machine();
    this.activities = activities;
    this.offer = new TreeMap<>();
    activities.forEach((name, policy) -> offer.put(name, RetryJson.text(policy)));
    for (var workflow : workflows) offer.put(workflow, "");
    this.id = newId();
    this.agenda = new Agenda(machine, "reprise-worker-" + queue, workers.port()::failed);
    this.pace = new Pace(machine, FLOOR, IDLE);
    this.lastWatched = machine.nanoTime();
  }

  private UUID newId() {
    return new UUID(machine.random().nextLong(), machine.random().nextLong());
  }

  void start() {
    if (!queue.isEmpty()) serveAgain();
    lookAgain();
  }

  public String queue() {
    return queue;
  }

  /** What it takes, as people call it. */
  String work() {
    return queue.isEmpty()
        ? "runs that wait for their time"
        : "work on queue '%s'".formatted(Texts.shown(queue));
  }

  /** How many attempts it makes at this moment. */
  public int running() {
    synchronized (running) {
      return running.size() + beginning;
    }
  }

  // ---- taking -----------------------------------------------------------------------------------

  /** There may be something to take. */
  void soon() {
    if (draining || asked.get()) return;
    synchronized (agenda) {
      if (!draining) agenda.addOnce(asked, workers.errands(), this::look, Duration.ZERO);
    }
  }

  /** The floor under all hints, which may be lost. */
  private void lookAgain() {
    soon();
    agenda.add(this::lookAgain, pace.next());
  }

  private void look() {
    asked.set(false);
    int busy = running();
    int room = concurrency - busy;
    if (draining || (room <= 0 && hand == null)) return;
    if (workers.areBehind()) {
      lookAfterAWhile();
      return;
    }
    try {
      if (hand == null) hand = newId();
      var taken = take(hand, Math.max(1, room), busy);
      hand = null;
      blind = false;
      if (!taken.isEmpty()) {
        pace.found();
        vain = 0;
      }
      taken.forEach(this::tryToBegin);
      if (taken.size() < room) lookLater();
    } catch (RuntimeException away) {
      if (draining) return;
      if (!blind)
        LOG.atWarn()
            .log(
                "{}, trying again: {}",
                queue.isEmpty()
                    ? "could not look for workflows whose time to begin has come"
                    : "could not take from queue '" + Texts.shown(queue) + "'",
                Texts.shown(String.valueOf(away.getMessage())));
      blind = true;
      lookAfterAWhile();
    }
  }

  private void lookAfterAWhile() {
    agenda.addOnce(asked, workers.errands(), this::look, RETRY);
  }

  /** Whether it could not take anything the last time. */
  boolean isBlind() {
    return blind;
  }

  private List<Handout> take(UUID by, int room, int busy) {
    var now = workers.port().now();
    return workers
        .dispatch()
        .take(new TaskStore.Take(by, queue, machine.name(), offer, room, busy, now));
  }

  /** There is no more now: perhaps at a certain time. */
  private void lookLater() {
    var next = workers.store().nextReady(queue);
    if (alarm != null) alarm.cancel();
    alarm = next.isEmpty() ? null : workers.port().at(notTooOften(next.get()), this::soon);
  }

  /**
   * If the time has come by this node's clock and there was nothing, the clock of the store has
   * been set back: the worker looks again less and less often until that has caught up.
   */
  private Instant notTooOften(Instant next) {
    var now = workers.port().now();
    if (next.isAfter(now)) return next;
    return now.plusMillis(1L << Math.min(vain++, MOST_VAIN));
  }

  /** One that cannot begin keeps no other from it: it is overdue when its lease ends. */
  private void tryToBegin(Handout task) {
    try {
      begin(task);
    } catch (RuntimeException | Error e) {
      LOG.atError()
          .addKeyValue("workflow.id", Texts.shown(task.workflowId()))
          .setCause(Texts.shown(e))
          .log("could not begin an attempt on queue '{}'", Texts.shown(queue));
    }
  }

  private void begin(Handout task) {
    if (task.ref().isRun()) {
      beginRun(task);
      return;
    }
    workers.leased(task.leaseUntil(), task.deadline());
    QueuedAttempt attempt;
    try {
      attempt = workers.attempt(task, activities, this::over);
    } catch (RepriseException unreadable) {
      unreadable(task, unreadable);
      return;
    }
    synchronized (running) {
      running.add(attempt);
    }
    try {
      if (draining) attempt.giveBack(); // who drains may have looked before it was there
      else attempt.start();
    } catch (RuntimeException | Error e) {
      over(attempt);
      throw e;
    }
  }

  /** Nobody knows what to call. It stays on its queue, and those taken with it begin. */
  private static void unreadable(Handout task, RepriseException why) {
    LOG.atError()
        .addKeyValue("workflow.id", Texts.shown(task.workflowId()))
        .log(
            "an activity on queue '{}' cannot begin: {}",
            Texts.shown(task.queue()),
            why.getMessage());
  }

  private void over(QueuedAttempt attempt) {
    makeRoom(() -> running.remove(attempt));
  }

  /** Counted, for in between nothing runs and nobody looks yet: it would seem that all is quiet. */
  private void makeRoom(Runnable leave) {
    workers
        .errands()
        .counted(
            () -> {
              synchronized (running) {
                leave.run();
              }
              soon();
            })
        .run();
  }

  /** A run counts for the worker until it has begun; from then on its node cares for it. */
  private void beginRun(Handout task) {
    workers.leased(task.leaseUntil(), null);
    synchronized (running) {
      beginning++;
    }
    var _ =
        begun(task)
            .whenComplete(
                (begun, failure) -> {
                  if (failure != null) {
                    LOG.atWarn()
                        .setCause(Texts.shown(failure))
                        .log(
                            "workflow '{}' could not begin, it is tried again",
                            Texts.shown(task.workflowId()));
                    giveBack(task);
                  }
                  makeRoom(() -> beginning--);
                });
  }

  private CompletableFuture<Boolean> begun(Handout task) {
    try {
      return workers.port().begin(task);
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Another engine may let it begin, or this one when it has a node that can. */
  private void giveBack(Handout task) {
    var change = new Report.Change.GiveBack(workers.port().now().plus(FLOOR));
    var _ = workers.report(Report.of(task, change));
  }

  // ---- being there ------------------------------------------------------------------------------

  private void serveAgain() {
    try {
      workers.store().serve(row(workers.port().now()));
    } catch (RuntimeException away) {
      LOG.atDebug()
          .setCause(Texts.shown(away))
          .log("could not say that queue '{}' is served", Texts.shown(queue));
    }
    watchAttempts();
    agenda.add(this::serveAgain, SEEN);
  }

  private void watchAttempts() {
    long now = machine.nanoTime();
    long sinceLastLook = now - lastWatched;
    lastWatched = now;
    List<QueuedAttempt> attempts;
    synchronized (running) {
      attempts = List.copyOf(running);
    }
    attempts.forEach(attempt -> attempt.warnIfLong(sinceLastLook));
  }

  private WorkerRow row(Instant now) {
    var names = List.copyOf(offer.keySet());
    return new WorkerRow(id, queue, machine.name(), concurrency, names, now);
  }

  // ---- the end ----------------------------------------------------------------------------------

  /**
   * Takes nothing more, lets attempts that run end for a while, and gives the rest back at once, as
   * if they had not been taken.
   */
  @Override
  public void close() {
    close(workers.grace());
  }

  /** The same with another time of grace. */
  public void close(Duration grace) {
    stop();
    drain(machine.nanoTime() + TimeUnit.NANOSECONDS.convert(grace));
    workers.closed(this);
  }

  /** Takes nothing more. */
  void stop() {
    synchronized (agenda) {
      draining = true;
      agenda.add(agenda::stop, Duration.ZERO); // behind what is counted, for which others wait
    }
  }

  /** Waits for attempts that run until then, and gives the rest back. */
  void drain(long end) {
    while (running() > 0 && machine.nanoTime() - end < 0) machine.park(this, 1_000_000);
    List<QueuedAttempt> rest;
    synchronized (running) {
      rest = List.copyOf(running);
    }
    if (!rest.isEmpty()) {
      LOG.atWarn()
          .log("{} attempts of queue '{}' still run, given back", rest.size(), Texts.shown(queue));
    }
    rest.forEach(QueuedAttempt::giveBack);
    try {
      if (!queue.isEmpty()) workers.store().leave(id);
    } catch (RuntimeException away) {
      LOG.atDebug()
          .setCause(Texts.shown(away))
          .log("could not say that queue '{}' is not served", Texts.shown(queue));
    }
  }
}
