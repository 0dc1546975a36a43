package dev.reprise.engine.node;

import dev.reprise.Texts;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Survival;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Time that passes: a clock, and a thread that waits for the alarm. */
public final class SystemTime implements Time {
  private static final Logger LOG = LoggerFactory.getLogger(SystemTime.class);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1); // then look again
  private static final long PAUSE_NANOS = 100_000_000; // after an error

  private final Machine machine;
  private final InstantSource clock;
  private volatile @Nullable Thread thread;
  private @Nullable Instant next;
  private boolean closed;

  private SystemTime(Machine machine, InstantSource clock) {
    this.machine = machine;
    this.clock = clock;
  }

  /** The time of that clock, made monotonic. */
  public static SystemTime of(Machine machine, InstantSource clock) {
    return new SystemTime(machine, new MonotonicClock(machine, clock));
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public void onAlarm(Runnable alarm) {
    var waiting = machine.service("reprise-timer", Survival.looping(machine, () -> watch(alarm)));
    thread = waiting;
    waiting.start();
  }

  @Override
  public void alarmAt(Instant at) {
    synchronized (this) {
      if (next != null && !at.isBefore(next)) return;
      next = at;
    }
    LockSupport.unpark(thread);
  }

  private void watch(Runnable alarm) {
    boolean again = false; // the alarm did not come to its end
    for (; ; ) {
      try {
        var wait = untilAlarm();
        if (wait == null) return;
        if (again || !wait.isPositive()) {
          again = true;
          alarm.run();
          again = false;
        } else {
          machine.park(this, shorter(wait).toNanos());
        }
      } catch (RuntimeException e) {
        LOG.atError().setCause(Texts.shown(e)).log("an alarm failed, it is repeated");
        machine.park(this, PAUSE_NANOS);
      } catch (Error e) {
        Survival.of(e);
        Survival.pause(machine);
      }
    }
  }

  /** How long to wait for the alarm, which is taken when it is due; null when closed. */
  private synchronized @Nullable Duration untilAlarm() {
    if (closed) return null;
    if (next == null) return LONGEST_WAIT;
    var wait = Duration.between(now(), next);
    if (!wait.isPositive()) next = null;
    return wait;
  }

  /** A sleep of years is waited for in parts: its nanoseconds do not fit in a long. */
  private static Duration shorter(Duration wait) {
    return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait.plusNanos(1_000);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    LockSupport.unpark(thread);
  }
}
