package dev.reprise.engine.node;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The time of this machine, made monotonic: it runs with the monotonic clock and follows the wall
 * clock forwards only. A wall clock that is set back changes nothing until the process ends.
 */
public final class SystemTime implements Time {
  private static final long FOLLOW_NANOS = 50_000_000; // a wall clock ahead by this was set
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1); // then look again

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile Base base = new Base(Instant.now(), System.nanoTime());
  private @Nullable Runnable alarm;
  private @Nullable Instant next;
  private boolean closed;

  private record Base(Instant wall, long nanos) {
    Instant at(long nanoTime) {
      return wall.plusNanos(nanoTime - nanos);
    }
  }

  @Override
  public Instant now() {
    long nanos = System.nanoTime();
    var estimate = base.at(nanos);
    var wall = Instant.now();
    if (Duration.between(estimate, wall).toNanos() > FOLLOW_NANOS) {
      base = new Base(wall, nanos);
      estimate = wall;
    }
    return estimate.truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public void onAlarm(Runnable action) {
    alarm = action;
    Thread.ofPlatform().name("reprise-timer").daemon().start(this::watch);
  }

  @Override
  public void alarmAt(Instant at) {
    lock.lock();
    try {
      if (next != null && !at.isBefore(next)) return;
      next = at;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void watch() {
    while (awaitAlarm()) if (alarm != null) alarm.run();
  }

  /** Waits for the alarm; false when closed. */
  private boolean awaitAlarm() {
    lock.lock();
    try {
      while (!closed) {
        var wait = next == null ? LONGEST_WAIT : Duration.between(now(), next);
        if (next != null && !wait.isPositive()) {
          next = null;
          return true;
        }
        changed.awaitNanos(shorter(wait).toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody interrupts this thread but the end of the JVM
    } finally {
      lock.unlock();
    }
    return false;
  }

  /** A sleep of years is waited for in parts: its nanoseconds do not fit in a long. */
  private static Duration shorter(Duration wait) {
    return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait.plusNanos(1_000);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }
}
