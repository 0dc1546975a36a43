package dev.reprise.engine.task;

import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Texts;
import dev.reprise.engine.event.Event.ActivityScheduled;
import dev.reprise.engine.event.RetryJson;
import dev.reprise.engine.machine.Agenda;
import dev.reprise.engine.machine.Errands;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Pace;
import dev.reprise.engine.replay.RunPort;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after tasks of which nothing is heard: whose worker is gone, whose time is over, which
 * nobody wants. Every engine does that for all; what two of them decide counts once.
 */
final class Sweep {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
  private static final int MOST = 200; // at a look
  private static final Duration FLOOR = Duration.ofSeconds(1);
  private static final Duration IDLE = Duration.ofSeconds(2); // the same where nothing is overdue
  private static final Duration SERVED = Duration.ofSeconds(20); // between looks at who serves

  private final Machine machine;
  private final Store store;
  private final TaskStore tasks;
  private final TaskPort port;
  private final Reporter reporter;
  private final RetryPolicy retry;
  private final Consumer<String> announce;
  private final UnservedWatch unserved;
  private final Agenda agenda;
  private final Errands errands;
  private final Pace pace;
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean asked = new AtomicBoolean();
  private RunPort.@Nullable Timer alarm;
  private @Nullable Instant alarmAt;
  private volatile boolean stopped;

  /**
   * @param retry what counts if nobody has said anything about retries
   * @param announce tells workers that something on a queue is ready
   */
  Sweep(
      Machine machine,
      Store store,
      TaskPort port,
      Reporter reporter,
      RetryPolicy retry,
      Consumer<String> announce,
      Errands errands) {
    this.machine = machine;
    this.store = store;
    this.tasks = store.tasks();
    this.port = port;
    this.reporter = reporter;
    this.retry = retry;
    this.announce = announce;
    this.unserved = new UnservedWatch(store);
    this.errands = errands;
    this.pace = new Pace(machine, FLOOR, IDLE);
    this.agenda = new Agenda(machine, "reprise-sweep", port::failed);
  }

  /** Once; again is as good. */
  void start() {
    if (!started.compareAndSet(false, true)) return;
    lookAgain();
    agenda.add(this::lookForWorkers, SERVED);
  }

  void stop() {
    stopped = true;
    agenda.stop();
  }

  /** Something may be overdue. */
  void soon() {
    if (stopped || !started.get()) return;
    agenda.addOnce(asked, errands, this::look, Duration.ZERO);
  }

  private void lookAgain() {
    soon();
    agenda.add(this::lookAgain, pace.next());
  }

  private void look() {
    asked.set(false);
    if (!reporter.hasRoom()) return; // what it decided before is not stored yet
    try {
      var now = port.now();
      var overdue = tasks.overdue(now, MOST);
      if (!overdue.isEmpty()) pace.found();
      for (var task : overdue) settleReadable(task, now);
      if (overdue.size() == MOST) soon();
      tasks.nextOverdue().ifPresent(this::dueAt);
    } catch (RuntimeException away) {
      if (!stopped)
        LOG.atDebug().setCause(Texts.shown(away)).log("could not look, the next look follows soon");
    }
  }

  /** A task is overdue then: somebody here has made it so. */
  synchronized void dueAt(Instant then) {
    if (alarmAt != null && !then.isBefore(alarmAt)) return;
    if (!then.isAfter(port.now())) return; // what is being settled now
    if (alarm != null) alarm.cancel();
    alarmAt = then;
    alarm = port.at(then, this::rings);
  }

  private void rings() {
    synchronized (this) {
      alarm = null;
      alarmAt = null;
    }
    soon();
  }

  /** One whose event is damaged must not keep the others from being settled. */
  private void settleReadable(TaskView task, Instant now) {
    try {
      settle(task, now);
    } catch (StoreUnavailable away) {
      throw away;
    } catch (RepriseException unreadable) {
      LOG.atError()
          .log(
              "an activity on queue '{}': {}",
              Texts.shown(task.task().queue()),
              unreadable.getMessage());
    }
  }

  private void settle(TaskView task, Instant now) {
    if (task.ref().isRun()) {
      var again = new Report.Change.GiveBack(now); // who took it has not let it begin
      answered(task, new Report(task.ref(), task.attempt(), null, now, again, null, null));
      return;
    }
    var rows = store.runs(List.of(task.ref().run()));
    var events = store.history(task.ref().run(), task.ref().index(), 1);
    if (rows.isEmpty() || events.isEmpty()) return; // missing or damaged: for the doctor
    var row = rows.getFirst();
    var event = events.getFirst();
    var activity = (ActivityScheduled) event.recorded().event();
    double luck = machine.random().nextDouble();
    TaskDecider.overdue(task, activity, policy(task, activity), now, luck)
        .ifPresent(
            verdict ->
                answered(
                    task, Reports.overdue(task.ref(), row.runId(), task.attempt(), verdict, now)));
  }

  private void answered(TaskView task, Report report) {
    var _ =
        reporter
            .report(report)
            .thenAccept(
                reply -> {
                  if (reply == Report.Reply.ACCEPTED) announce.accept(task.task().queue());
                });
  }

  private RetryPolicy policy(TaskView task, ActivityScheduled activity) {
    var ofCall = activity.queueing().retry();
    if (ofCall != null) return ofCall;
    return task.retry() == null ? retry : RetryJson.parse(task.retry());
  }

  // ---- what nobody serves -----------------------------------------------------------------------

  private void lookForWorkers() {
    try {
      unserved.look(port.now());
    } catch (RuntimeException away) {
      if (!stopped)
        LOG.atDebug().setCause(Texts.shown(away)).log("could not look for what nobody serves");
    }
    agenda.add(this::lookForWorkers, SERVED);
  }
}
