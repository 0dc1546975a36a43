package dev.reprise.engine.node;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Time that passes: a clock, and a thread that waits for the alarm. */
public final class SystemTime implements Time {
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1); // then look again

  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Runnable alarm;
  private @Nullable Instant next;
  private boolean closed;

  private SystemTime(InstantSource clock) {
    this.clock = clock;
  }

  /** The time of that clock, made monotonic. */
  public static SystemTime of(InstantSource clock) {
    return new SystemTime(new MonotonicClock(clock));
  }

  @Override
  public Instant now() {
    return clock.instant();
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
