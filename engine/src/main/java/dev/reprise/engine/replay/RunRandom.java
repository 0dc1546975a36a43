package dev.reprise.engine.replay;

import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Random numbers drawn from the run's id: the same each time the code runs. */
final class RunRandom implements RandomGenerator {
  private final RunContext context;
  private final SplittableRandom random;

  RunRandom(RunContext context, UUID runId) {
    this.context = context;
    this.random =
        new SplittableRandom(runId.getMostSignificantBits() ^ runId.getLeastSignificantBits());
  }

  @Override
  public long nextLong() {
    context.enter();
    return random.nextLong();
  }

  UUID uuid() {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L; // version 4
    long low = (random.nextLong() & ~0xC000000000000000L) | 0x8000000000000000L; // IETF variant
    return new UUID(high, low);
  }
}
