package dev.reprise.engine.node;

import dev.reprise.engine.replay.LiveRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bounds the memory of runs that wait: over the budget, those that have waited longest leave
 * memory. They come back by replay when something happens to them.
 */
final class ParkedRuns {
  private final long budget;
  private final Map<LiveRun, Long> weights = new LinkedHashMap<>();
  private long total;

  ParkedRuns(long budget) {
    this.budget = budget;
  }

  /** The run waits; returns those that should leave memory for it. */
  synchronized List<LiveRun> add(LiveRun run) {
    long weight = run.weight();
    var before = weights.put(run, weight);
    total += weight - (before == null ? 0 : before);
    if (total <= budget) return List.of();
    var leaving = new ArrayList<LiveRun>();
    long over = total - budget;
    for (var entry : weights.entrySet()) {
      if (over <= 0) break;
      leaving.add(entry.getKey());
      over -= entry.getValue();
    }
    leaving.forEach(this::remove);
    return leaving;
  }

  synchronized void remove(LiveRun run) {
    var weight = weights.remove(run);
    if (weight != null) total -= weight;
  }

  synchronized int size() {
    return weights.size();
  }
}
