package dev.reprise.verification.simulation;

import dev.reprise.ActivityContext;
import dev.reprise.RetryAfter;
import dev.reprise.TerminalFailure;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Activities on queues in one process. */
final class JobWork implements Jobs {
  static final Duration LATER = Duration.ofMillis(400); // when one that postpones comes again

  /** Later attempts take no time, so that an activity with little time comes to its end. */
  static final int HASTY = 3;

  private final SimulatedProcess process;
  private final Effects effects;

  JobWork(SimulatedProcess process, Effects effects) {
    this.process = process;
    this.effects = effects;
  }

  @Override
  public String job(Job job) {
    var context = ActivityContext.current();
    effects.jobs().begun(process, context, job);
    var result = Effects.token(context, job.path(), context.attempt());
    if (context.attempt() > HASTY) job = new Job(job.path(), job.kind(), job.times(), 0);
    boolean again = context.attempt() > job.times();
    switch (job.kind()) {
      case WORKS -> nap(job.millis());
      case FAILS -> {
        nap(job.millis());
        if (!again) throw new IllegalStateException("attempt " + context.attempt());
      }
      case POSTPONES -> {
        if (!again) throw new RetryAfter(LATER, "attempt " + context.attempt());
      }
      case GIVES_UP -> throw new TerminalFailure("attempt " + context.attempt());
      case BEATS -> beat(context, job);
      case DAWDLES -> nap(context.attempt() == 1 ? job.millis() : 1);
      case KILLS -> {
        if (!again) die();
      }
      case DELEGATES -> effects.jobs().entrust(context.completeLater(), result);
    }
    return result;
  }

  private void beat(ActivityContext context, Job job) {
    int done = context.lastHeartbeat(Integer.class).orElse(0);
    while (done < job.times()) {
      nap(job.millis());
      if (context.heartbeat(++done)) throw new IllegalStateException("not wanted any more");
    }
  }

  private void die() {
    if (!effects.jobs().mayKill()) return;
    effects.jobs().killed(process);
    process.kill();
    LockSupport.park(this); // for ever
  }

  /** An attempt that has taken too long is interrupted. */
  private void nap(int millis) {
    long left = Duration.ofMillis(millis).toNanos();
    long end = process.nanoTime() + left;
    for (; left > 0; left = end - process.nanoTime()) {
      process.park(this, left);
      if (Thread.interrupted()) throw new IllegalStateException("interrupted");
    }
  }
}
