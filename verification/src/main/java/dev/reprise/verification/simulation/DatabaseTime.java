package dev.reprise.verification.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The clock of the database, which somebody may set. */
final class DatabaseTime implements InstantSource {
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

  private final Scheduler scheduler;
  private Duration shift = Duration.ZERO;
  private @Nullable Instant pretended; // by a sabotage

  DatabaseTime(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public Instant instant() {
    if (pretended != null) return pretended;
    return BEGIN.plusNanos(scheduler.now()).plus(shift);
  }

  /** Does something as if it were that time. */
  <T> T pretend(Instant now, Supplier<T> work) {
    pretended = now;
    try {
      return work.get();
    } finally {
      pretended = null;
    }
  }

  void jump(Duration by) {
    shift = shift.plus(by);
  }
}
