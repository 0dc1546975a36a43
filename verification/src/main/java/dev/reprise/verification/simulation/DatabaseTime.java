package dev.reprise.verification.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The clock of the database, which somebody may set. */
final class DatabaseTime implements InstantSource {
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

  private final Scheduler scheduler;
  private Duration shift = Duration.ZERO;

  DatabaseTime(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public Instant instant() {
    return BEGIN.plusNanos(scheduler.now()).plus(shift);
  }

  void jump(Duration by) {
    shift = shift.plus(by);
  }
}
