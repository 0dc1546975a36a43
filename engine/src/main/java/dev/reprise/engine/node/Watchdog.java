package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.Texts;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Overrun;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.replay.RunningAttempt;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log what takes suspiciously long: workflow code that does not come back to its
 * context, and attempts of inline activities that hang. Nothing is ended by it.
 */
final class Watchdog {
  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
  static final Duration LOOK = Duration.ofSeconds(5);
  private static final Overrun CODE = new Overrun(Duration.ofSeconds(10)); // it should take none

  private final Machine machine;
  private final Supplier<? extends Collection<LiveRun>> active;
  private Set<LiveRun> before = Set.of(); // those that were active at the last look
  private long lastLook;

  /**
   * @param active the runs that have something to do at this moment
   */
  Watchdog(Machine machine, Supplier<? extends Collection<LiveRun>> active) {
    this.machine = machine;
    this.active = active;
    this.lastLook = machine.nanoTime();
  }

  /** Looks at all that is active. From time to time, by one thread. */
  void look() {
    long now = machine.nanoTime();
    long pause = now - lastLook;
    lastLook = now;
    var runs = Set.copyOf(active.get());
    for (var run : runs) {
      lookAtCode(run, pause);
      // One that was not active at the last look has no attempt that runs for so long.
      if (before.contains(run)) {
        var _ =
            run.attempts()
                .thenAccept(attempts -> attempts.forEach(each -> lookAt(run, each, pause)));
      }
    }
    before = runs;
  }

  private static void lookAtCode(LiveRun run, long pause) {
    long began = run.turnBegan();
    if (began == 0) return;
    long nanos = System.nanoTime() - began;
    var thread = CODE.isNews(nanos, pause) ? run.runningSince(began + 1) : null;
    if (thread == null) return;
    LOG.atWarn()
        .addKeyValue("workflow.id", id(run))
        .addKeyValue("run.id", run.row().runId())
        .setCause(Texts.shown(where("the code is here", thread)))
        .log(
            "{} workflow code of '{}' has run for {} s without a call of its context: it holds up"
                + " its own run; move work and I/O into activities (see {})",
            ErrorCode.R110,
            id(run),
            TimeUnit.NANOSECONDS.toSeconds(nanos),
            ErrorCode.R110.docs());
  }

  private static void lookAt(LiveRun run, RunningAttempt attempt, long pause) {
    boolean isWatched = !attempt.isLimited();
    if (!isWatched || !RunningAttempt.LONG.isNews(attempt.quietNanos(), pause)) return;
    LOG.atWarn()
        .addKeyValue("workflow.id", id(run))
        .addKeyValue("run.id", run.row().runId())
        .addKeyValue("activity.id", Texts.shown(attempt.id()))
        .setCause(Texts.shown(where("the activity is here", attempt.thread())))
        .log(
            "attempt {} of activity {} of workflow '{}' has run for {} s without a heartbeat, and"
                + " nothing limits it: give it ActivityOptions.timeout(…) if it may hang, or an"
                + " engine-wide Reprise.activityTimeout(…)",
            attempt.number(),
            Texts.shown(attempt.id()),
            id(run),
            TimeUnit.NANOSECONDS.toSeconds(attempt.nanos()));
  }

  private static Throwable where(String what, Thread thread) {
    var where = new Throwable(what);
    where.setStackTrace(thread.getStackTrace());
    return where;
  }

  private static String id(LiveRun run) {
    return Texts.shown(run.row().workflowId());
  }
}
