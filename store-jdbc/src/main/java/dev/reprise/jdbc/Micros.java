package dev.reprise.jdbc;

import java.time.Instant;

/** Times as the database has them: microseconds since 1970. */
final class Micros {
  private static final long SECOND = 1_000_000;
  private static final Instant LAST = instant(Long.MAX_VALUE);

  private Micros() {}

  /** Times after the last that fits, in the year 294247, become that one. */
  static long of(Instant at) {
    if (at.isAfter(LAST)) return Long.MAX_VALUE;
    return Math.addExact(Math.multiplyExact(at.getEpochSecond(), SECOND), at.getNano() / 1_000);
  }

  static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, SECOND), Math.floorMod(micros, SECOND) * 1_000);
  }
}
