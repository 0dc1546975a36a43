package dev.reprise.engine.node;

import dev.reprise.engine.replay.RunSettings;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a node behaves.
 *
 * @param runs what its runs share
 * @param activeRuns how many runs are active at once
 * @param memoryBudget bytes that parked runs may take
 * @param shutdownGrace how long closing waits for activities that run
 * @param lease how long the node may be silent before others take it for gone
 * @param callTimeout how long a caller waits for the database
 * @param runIds gives the id of a new run of a workflow id; by chance if null
 */
public record NodeSettings(
    RunSettings runs,
    int activeRuns,
    long memoryBudget,
    Duration shutdownGrace,
    Duration lease,
    Duration callTimeout,
    @Nullable Function<String, UUID> runIds) {

  /** Each run gets an id of its own. */
  public NodeSettings(
      RunSettings runs,
      int activeRuns,
      long memoryBudget,
      Duration shutdownGrace,
      Duration lease,
      Duration callTimeout) {
    this(runs, activeRuns, memoryBudget, shutdownGrace, lease, callTimeout, null);
  }

  /** The same with other ids of runs. */
  public NodeSettings withRunIds(Function<String, UUID> ids) {
    return new NodeSettings(runs, activeRuns, memoryBudget, shutdownGrace, lease, callTimeout, ids);
  }
}
