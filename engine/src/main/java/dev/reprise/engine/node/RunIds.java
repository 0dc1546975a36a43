package dev.reprise.engine.node;

import java.time.Instant;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Makes ids of runs and nodes: UUIDs of version 7, which sort by the time they were made. */
final class RunIds {
  private RunIds() {}

  static UUID next(Instant now, RandomGenerator random) {
    long time = now.toEpochMilli() << 16;
    long high = time | 0x7000L | (random.nextLong() & 0x0FFFL);
    long low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
    return new UUID(high, low);
  }
}
