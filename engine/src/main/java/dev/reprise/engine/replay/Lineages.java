package dev.reprise.engine.replay;

import dev.reprise.engine.event.Origin;
import dev.reprise.engine.event.Origin.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What a run takes over from the one that it goes on from. */
public final class Lineages {
  private Lineages() {}

  /**
   * What random numbers were drawn from in the first events of a run.
   *
   * @param origin of that run
   */
  public static List<Seed> seeds(Origin origin, UUID runId, int upTo) {
    var seeds = new ArrayList<Seed>();
    if (origin.lineage() != null) {
      for (var seed : origin.lineage().seeds()) {
        int covered = Math.min(seed.upTo(), upTo);
        seeds.add(new Seed(seed.runId(), covered));
        if (covered == upTo) return seeds;
      }
    }
    seeds.add(new Seed(runId, upTo));
    return seeds;
  }

  /**
   * How many of the first events of a run are signals that waited before its code began.
   *
   * @param origin of that run
   * @param upTo how many events are kept of it
   */
  public static int unreceived(Origin origin, int upTo) {
    return origin.lineage() == null ? 0 : Math.min(origin.lineage().unreceived(), upTo - 1);
  }
}
