package dev.reprise.engine.replay;

import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Random numbers drawn from the run's id: the same each time the code runs. While the code follows
 * events that were copied from another run, they are that run's.
 */
final class RunRandom implements RandomGenerator {
  private final LiveRun run;
  private final UUID runId;
  private UUID seed;
  private @Nullable SplittableRandom random; // of that seed, once somebody asks

  RunRandom(LiveRun run, UUID runId) {
    this.run = run;
    this.runId = runId;
    this.seed = runId;
  }

  @Override
  public long nextLong() {
    run.stage().cast().enter();
    return next();
  }

  private long next() {
    var wanted = seed();
    var source = random;
    if (source == null || !wanted.equals(seed)) {
      seed = wanted;
      source = from(wanted);
      random = source;
    }
    return source.nextLong();
  }

  private UUID seed() {
    var state = run.stage().state();
    var lineage = state.life().origin().lineage();
    if (lineage == null) return runId;
    for (var past : lineage.seeds()) if (state.size() <= past.upTo()) return past.runId();
    return runId;
  }

  private static SplittableRandom from(UUID id) {
    return new SplittableRandom(id.getMostSignificantBits() ^ id.getLeastSignificantBits());
  }

  UUID uuid() {
    long high = (next() & ~0xF000L) | 0x4000L; // version 4
    long low = (next() & ~0xC000000000000000L) | 0x8000000000000000L; // IETF variant
    return new UUID(high, low);
  }
}
