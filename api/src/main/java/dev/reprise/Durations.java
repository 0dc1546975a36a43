package dev.reprise;

import java.time.Duration;

/**
 * Checks the durations of options and settings where they are made, so that an engine never meets
 * one with which it cannot count.
 */
public final class Durations {
  /**
   * The longest limit, delay or period that counts: 250 years. A longer one means the same. Its
   * nanoseconds fit into a long, and today plus this into every database.
   */
  public static final Duration MAX = Duration.ofDays(365 * 250);

  private Durations() {}

  /** The duration, or {@link #MAX} if it is longer than that. */
  public static Duration bounded(Duration duration) {
    return duration.compareTo(MAX) > 0 ? MAX : duration;
  }

  /**
   * A duration that must be longer than nothing, bounded.
   *
   * @param what it is, for the message
   * @throws IllegalArgumentException if it is zero or negative
   */
  public static Duration positive(Duration duration, String what) {
    if (!duration.isPositive()) throw new IllegalArgumentException(what + " must be positive");
    return bounded(duration);
  }

  /**
   * A duration that may be nothing, bounded.
   *
   * @param what it is, for the message
   * @throws IllegalArgumentException if it is negative
   */
  public static Duration notNegative(Duration duration, String what) {
    if (duration.isNegative()) throw new IllegalArgumentException(what + " is negative");
    return bounded(duration);
  }
}
