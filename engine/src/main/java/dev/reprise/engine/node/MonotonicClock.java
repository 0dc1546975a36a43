package dev.reprise.engine.node;

import dev.reprise.engine.machine.Machine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * A clock that runs with the monotonic clock of the machine and follows another one forwards only:
 * if that is set back, nothing changes until the process ends. To the microsecond.
 */
final class MonotonicClock implements InstantSource {
  private static final long FOLLOW_NANOS = 1_000_000; // less is only noise

  private final Machine machine;
  private final InstantSource source;
  private volatile Base base;

  private record Base(Instant time, long nanos) {
    Instant at(long nanoTime) {
      return time.plusNanos(nanoTime - nanos);
    }
  }

  MonotonicClock(Machine machine, InstantSource source) {
    this.machine = machine;
    this.source = source;
    this.base = new Base(source.instant(), machine.nanoTime());
  }

  @Override
  public Instant instant() {
    long nanos = machine.nanoTime();
    var estimate = base.at(nanos);
    var now = source.instant();
    if (Duration.between(estimate, now).toNanos() > FOLLOW_NANOS) {
      base = new Base(now, nanos);
      estimate = now;
    }
    return estimate.truncatedTo(ChronoUnit.MICROS);
  }
}
