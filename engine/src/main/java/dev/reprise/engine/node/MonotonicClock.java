package dev.reprise.engine.node;

import dev.reprise.engine.machine.Machine;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that runs with the monotonic clock of the machine and follows another one forwards only:
 * if that is set back, nothing changes until the process ends. To the microsecond.
 */
final class MonotonicClock implements InstantSource {
  private static final long FOLLOW_MICROS = 1_000; // less is only noise

  private final Machine machine;
  private final InstantSource source;
  private final AtomicReference<Base> base;
  private volatile long lookedNanos; // when the other clock was asked last

  private record Base(long micros, long nanos) {
    long at(long nanoTime) {
      return micros + (nanoTime - nanos) / 1_000;
    }
  }

  MonotonicClock(Machine machine, InstantSource source) {
    this.machine = machine;
    this.source = source;
    this.base = new AtomicReference<>(look());
    this.lookedNanos = base.get().nanos;
  }

  /**
   * Reads both clocks, the monotonic one last: if the thread stands still in between, this clock is
   * late until the next look, and never early.
   */
  private Base look() {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, source.instant());
    return new Base(micros, machine.nanoTime());
  }

  /**
   * The other clock may be ahead by as much as is noise, so that it need not be asked each time.
   */
  @Override
  public Instant instant() {
    var known = base.get();
    long nanos = machine.nanoTime();
    if (nanos - lookedNanos < FOLLOW_MICROS * 1_000) return at(known.at(nanos));
    lookedNanos = nanos;
    var other = look();
    long micros = known.at(other.nanos);
    boolean isAhead = other.micros - micros > FOLLOW_MICROS;
    boolean follows = isAhead && base.compareAndSet(known, other);
    return at(follows ? other.micros : micros);
  }

  private static Instant at(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000);
  }
}
