package dev.reprise.engine.task;

import dev.reprise.ActivityContext;
import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Texts;
import dev.reprise.engine.bind.NamedActivity;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ActivityScheduled;
import dev.reprise.engine.replay.ActivityCall;
import dev.reprise.engine.replay.Arguments;
import dev.reprise.engine.replay.Failures;
import dev.reprise.engine.replay.RunPort;
import dev.reprise.engine.replay.RunSettings;
import dev.reprise.engine.replay.RunningAttempt;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.Store.Fenced;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attempt of an activity on a queue, on a thread of its own. */
final class QueuedAttempt {
  private static final Logger LOG = LoggerFactory.getLogger(QueuedAttempt.class);
  private static final int MOST_TRIES = 50; // to report, while there is no memory
  private static final long PAUSE_NANOS = 100_000_000;

  private final Handout task;
  private final ActivityScheduled activity;
  private final RetryPolicy policy;
  private final RunSettings settings;
  private final TaskPort port;
  private final Reporter reporter;
  private final Workers workers;
  private final QueuedContext context;
  private final Thread thread;
  private final Consumer<QueuedAttempt> whenOver;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger refusals = new AtomicInteger(); // of what was reported
  private volatile RunPort.@Nullable Timer watch;

  /**
   * @param policies what counts if the call says nothing about retries, by activity
   * @param whenOver called once, when the worker has room again
   */
  QueuedAttempt(
      Handout task,
      Map<String, RetryPolicy> policies,
      RunSettings settings,
      TaskPort port,
      Reporter reporter,
      Workers workers,
      Consumer<QueuedAttempt> whenOver) {
    this.task = task;
    this.activity = (ActivityScheduled) task.event().recorded().event();
    var ofCall = activity.queueing().retry();
    var ofWorker = policies.getOrDefault(activity.call().name(), settings.retry());
    this.policy = ofCall == null ? ofWorker : ofCall;
    this.settings = settings;
    this.port = port;
    this.reporter = reporter;
    this.workers = workers;
    this.whenOver = whenOver;
    this.context =
        new QueuedContext(task, activity, settings.values(), settings.machine(), reporter);
    this.thread = settings.machine().fiber(activity.call().id(), this::run);
  }

  void start() {
    watch = port.at(nextLook(), this::look);
    thread.start();
  }

  /**
   * Says in the log that it has run for long, if nothing was heard of it and no timeout will end
   * it.
   *
   * @param sinceLastLook how long ago the same was asked
   */
  void warnIfLong(long sinceLastLook) {
    if (!context.hasBegun() || activity.queueing().timeout() != null) return;
    if (!RunningAttempt.LONG.isNews(context.quietNanos(), sinceLastLook)) return;
    var where = new Throwable("the activity is here");
    where.setStackTrace(thread.getStackTrace());
    LOG.atWarn()
        .addKeyValue("workflow.id", Texts.shown(task.workflowId()))
        .addKeyValue("run.id", task.runId())
        .addKeyValue("activity.id", Texts.shown(activity.call().id()))
        .setCause(Texts.shown(where))
        .log(
            "attempt {} of activity {} of workflow '{}' on queue '{}' has run for {} s without a"
                + " heartbeat, and no timeout limits it: let it send heartbeats, or give it"
                + " ActivityOptions.timeout(…)",
            task.attempt(),
            Texts.shown(activity.call().id()),
            Texts.shown(task.workflowId()),
            Texts.shown(task.queue()),
            TimeUnit.NANOSECONDS.toSeconds(context.nanos()));
  }

  // ---- the function -----------------------------------------------------------------------------

  private void run() {
    try {
      context.begins();
      if (!isTooLate()) end(make());
    } finally {
      forget(); // if it has not ended: too late, or without memory for an ending
    }
  }

  /** The process has stood still since it took the task: another worker may have it now. */
  private boolean isTooLate() {
    return !port.now().isBefore(nextLook());
  }

  /** Whoever looks after what is overdue decides what becomes of it. */
  private void forget() {
    if (isOver()) whenOver.accept(this);
  }

  /** Whether it is over by this, and was not before. */
  private boolean isOver() {
    if (!over.compareAndSet(false, true)) return false;
    var timer = watch;
    if (timer != null) timer.cancel();
    return true;
  }

  private Ending make() {
    try {
      var named = settings.activities().named(activity.call().name());
      @Nullable Object[] arguments;
      try {
        arguments = prepared(named);
      } catch (RepriseException unfit) {
        return mistaken(unfit);
      }
      var result =
          ScopedValue.where(ActivityContext.CURRENT, context).call(() -> call(named, arguments));
      if (context.isCompletedLater()) return new Ending.LeftOpen();
      return returned(named, result);
    } catch (Throwable thrown) {
      var misuse = Failures.misuse(thrown);
      return misuse == null ? threw(thrown) : mistaken(misuse);
    }
  }

  /** Its arguments. What does not fit is found while nothing has happened. */
  private @Nullable Object[] prepared(NamedActivity named) {
    settings.values().check(named.result(), result());
    var packed = new Arguments(activity.arguments(), activity.lengths());
    return packed.unpack(settings.values(), activity.call().id(), named.parameters());
  }

  private @Nullable Object call(NamedActivity named, @Nullable Object[] arguments)
      throws Exception {
    var id = activity.call().id();
    Callable<@Nullable Object> body = () -> named.body().call(arguments);
    var interceptor = settings.interceptor();
    if (interceptor == null) return body.call();
    return interceptor.intercept(
        new ActivityCall(
            task.workflowId(), id, named.name(), named.result(), Arrays.asList(arguments), body));
  }

  private Ending returned(NamedActivity named, @Nullable Object result) {
    try {
      return new Ending.Returned(settings.values().encode(result, named.result(), result()));
    } catch (RepriseException unfit) {
      return mistaken(unfit);
    }
  }

  private String result() {
    return "the result of " + activity.call().id();
  }

  /** No outcome of the activity: it waits until the code is mended. */
  private Ending mistaken(RepriseException mistake) {
    LOG.atWarn()
        .addKeyValue("workflow.id", Texts.shown(task.workflowId()))
        .log(
            "attempt {} of activity {} ended in a mistake of the code, which is to be mended. The"
                + " activity is tried again, more and more rarely: {}",
            task.attempt(),
            Texts.shown(activity.call().id()),
            mistake.getMessage());
    return new Ending.Mistaken(Failures.of(mistake));
  }

  private Ending threw(Throwable thrown) {
    boolean terminal = Failures.isTerminal(thrown, policy);
    return new Ending.Threw(Failures.of(thrown), terminal, Failures.retryAfter(thrown));
  }

  // ---- its end ----------------------------------------------------------------------------------

  /** The first ending counts. */
  private boolean end(Ending ending) {
    if (!isOver()) return false;
    try {
      if (context.isLost()) countsNoMore("a heartbeat was told so"); // so would a report be
      else report(ending);
    } finally {
      whenOver.accept(this); // whatever happens, the worker has room again
    }
    return true;
  }

  /** A full heap may be free again a moment later, and the activity has had its effects. */
  private void report(Ending ending) {
    for (int tries = 1; ; tries++) {
      try {
        var report = outcome(ending);
        var _ = reporter.report(report).whenComplete((reply, why) -> told(report, reply, why));
        return;
      } catch (Error trouble) {
        if (tries == MOST_TRIES) throw trouble;
        settings.machine().park(this, PAUSE_NANOS);
      }
    }
  }

  private Report outcome(Ending ending) {
    try {
      return decided(ending);
    } catch (RuntimeException undecidable) {
      LOG.atError()
          .setCause(Texts.shown(undecidable))
          .log("no outcome of {}", Texts.shown(activity.call().id()));
      return failed(Failures.of(undecidable));
    }
  }

  /** For good: another attempt would end like this one. */
  private Report failed(FailureInfo failure) {
    var event = new Event.ActivityFailed(activity.call(), task.attempt(), failure);
    return Reports.of(task, new TaskDecider.Verdict(new Report.Change.Finish(), event), port.now());
  }

  private void told(Report report, Report.@Nullable Reply reply, @Nullable Throwable why) {
    if (reply != null) {
      answered(report, reply);
    } else if (!(why instanceof Fenced) && refusals.getAndIncrement() == 0) {
      var text = "its outcome could not be stored: " + ErrorCode.R121.docs();
      var type = RepriseException.class.getName();
      var instead = failed(new FailureInfo(type, text, null, null, null));
      var _ = reporter.report(instead).whenComplete((then, no) -> told(instead, then, no));
    }
  }

  private Report decided(Ending ending) {
    var now = port.now();
    var made =
        new TaskDecider.Made(
            activity,
            task.event().at(),
            task.attempt(),
            after(task.event().at()),
            policy,
            context.cancelled());
    double luck = settings.machine().random().nextDouble();
    var verdict = TaskDecider.ended(made, ending, now, luck);
    return Reports.of(task, verdict, now).withHeartbeat(context.unsentDetails());
  }

  private @Nullable Instant after(Instant askedAt) {
    var total = activity.queueing().total();
    return total == null ? null : Decider.after(askedAt, total);
  }

  private void answered(Report report, Report.Reply reply) {
    if (reply == Report.Reply.ACCEPTED) {
      if (!(report.change() instanceof Report.Change.Finish)) workers.announce(task.queue());
      return;
    }
    boolean stale = reply == Report.Reply.STALE;
    countsNoMore(stale ? "it was handed out again" : "it has ended otherwise");
  }

  private void countsNoMore(String why) {
    LOG.atWarn()
        .addKeyValue("workflow.id", Texts.shown(task.workflowId()))
        .log(
            "{} attempt {} of {} has ended, and counts no more: {}",
            ErrorCode.R134,
            task.attempt(),
            Texts.shown(activity.call().id()),
            why);
  }

  // ---- its time ---------------------------------------------------------------------------------

  private Instant nextLook() {
    var lease = context.leaseUntil();
    var deadline = task.deadline();
    return deadline == null || lease.isBefore(deadline) ? lease : deadline;
  }

  /** Its time, or its lease, may be over. */
  private void look() {
    if (over.get()) return;
    var now = port.now();
    var deadline = task.deadline();
    if (deadline != null && !now.isBefore(deadline)) {
      timeOut();
    } else if (!now.isBefore(context.leaseUntil())) {
      LOG.atWarn()
          .addKeyValue("workflow.id", Texts.shown(task.workflowId()))
          .log(
              "{} attempt {} of {} has not ended or sent a heartbeat within {}: another worker may"
                  + " take it now. Send heartbeats, or give it a longer visibility timeout (see"
                  + " {})",
              ErrorCode.R134,
              task.attempt(),
              Texts.shown(activity.call().id()),
              activity.queueing().lease(),
              ErrorCode.R134.docs());
    } else {
      watch = port.at(nextLook(), this::look);
    }
  }

  private void timeOut() {
    var failure = TaskDecider.tooLong(task.attempt(), activity.queueing().timeout());
    if (end(new Ending.Threw(failure, false, null))) leaveBehind();
  }

  /** The worker goes, and cannot wait any longer. */
  void giveBack() {
    if (end(new Ending.GivenBack())) leaveBehind();
  }

  private void leaveBehind() {
    context.lose();
    thread.interrupt();
  }
}
