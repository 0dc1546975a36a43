package dev.reprise.engine.node;

import dev.reprise.SourcePolicy;
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
 * @param sourcePolicy what happens to runs of changed code, for workflows that do not say
 * @param runIds gives the id of a new run of a workflow id, and of the run that follows one of this
 *     run id; by chance if null
 * @param retention how long closed runs are kept; for ever if null
 * @param callBudget bytes that calls may take which the database has not answered
 */
public record NodeSettings(
    RunSettings runs,
    int activeRuns,
    long memoryBudget,
    Duration shutdownGrace,
    Duration lease,
    Duration callTimeout,
    SourcePolicy sourcePolicy,
    @Nullable Function<String, UUID> runIds,
    @Nullable Duration retention,
    long callBudget) {

  /** An eighth of the heap: runs that wait may take half of it. */
  public static final long CALL_BUDGET = Runtime.getRuntime().maxMemory() / 8;

  /** Each run gets an id of its own, changed code is verified, and nothing is deleted. */
  public NodeSettings(
      RunSettings runs,
      int activeRuns,
      long memoryBudget,
      Duration shutdownGrace,
      Duration lease,
      Duration callTimeout) {
    this(
        runs,
        activeRuns,
        memoryBudget,
        shutdownGrace,
        lease,
        callTimeout,
        SourcePolicy.VERIFY,
        null,
        null,
        CALL_BUDGET);
  }

  /** The same with other ids of runs. */
  public NodeSettings withRunIds(Function<String, UUID> ids) {
    return with(sourcePolicy, ids, retention);
  }

  /** The same with another policy for changed code. */
  public NodeSettings withSourcePolicy(SourcePolicy policy) {
    return with(policy, runIds, retention);
  }

  /** The same, where closed runs are kept for that long. */
  public NodeSettings withRetention(Duration period) {
    return with(sourcePolicy, runIds, period);
  }

  /** The same with another budget for calls. */
  public NodeSettings withCallBudget(long bytes) {
    return with(sourcePolicy, runIds, retention, bytes);
  }

  private NodeSettings with(
      SourcePolicy policy, @Nullable Function<String, UUID> ids, @Nullable Duration kept) {
    return with(policy, ids, kept, callBudget);
  }

  private NodeSettings with(
      SourcePolicy policy,
      @Nullable Function<String, UUID> ids,
      @Nullable Duration kept,
      long calls) {
    return new NodeSettings(
        runs,
        activeRuns,
        memoryBudget,
        shutdownGrace,
        lease,
        callTimeout,
        policy,
        ids,
        kept,
        calls);
  }
}
