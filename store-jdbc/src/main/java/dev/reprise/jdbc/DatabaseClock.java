package dev.reprise.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clock of the database, as far as it is known here: never ahead of it, so that no timer fires
 * early by it, whatever this machine's own clock says.
 *
 * <p>An answer of the database carries its time. When it arrives it is a little later there. So the
 * distance to our own ticking is at least that much, and the largest of the last answers is the
 * best of them. Older ones are forgotten, because clocks drift.
 */
final class DatabaseClock implements InstantSource {
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final AtomicLong last = new AtomicLong(Long.MIN_VALUE);
  private long windowBegan;
  private long best = Long.MIN_VALUE; // microseconds between our ticking and the database's time
  private long bestBefore = Long.MIN_VALUE; // of the window before
  private volatile long distance = Long.MIN_VALUE; // the better of the two

  /** Takes the time from an answer that has just arrived. */
  Instant read(ResultSet columns, int index) throws SQLException {
    var time = PostgresTimes.instant(columns, index);
    saw(time, System.nanoTime());
    return time;
  }

  synchronized void saw(Instant time, long nanos) {
    if (nanos - windowBegan > WINDOW_NANOS || best == Long.MIN_VALUE) {
      bestBefore = best;
      best = Long.MIN_VALUE;
      windowBegan = nanos;
    }
    best = Math.max(best, Micros.of(time) - ticks(nanos) - 1); // rounding must not put it ahead
    distance = Math.max(best, bestBefore);
  }

  @Override
  public Instant instant() {
    long found = distance;
    if (found == Long.MIN_VALUE) throw new IllegalStateException("the time is not known yet");
    long now = ticks(System.nanoTime()) + found;
    return Micros.instant(last.accumulateAndGet(now, Math::max));
  }

  private static long ticks(long nanos) {
    return Math.floorDiv(nanos, 1_000L);
  }
}
