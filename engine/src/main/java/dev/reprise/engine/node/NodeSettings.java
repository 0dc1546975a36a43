package dev.reprise.engine.node;

import dev.reprise.engine.replay.RunSettings;
import java.time.Duration;

/**
 * How a node behaves.
 *
 * @param runs what its runs share
 * @param activeRuns how many runs are active at once
 * @param memoryBudget bytes that parked runs may take
 * @param shutdownGrace how long closing waits for activities that run
 * @param lease how long the node may be silent before others take it for gone
 * @param callTimeout how long a caller waits for the database
 */
public record NodeSettings(
    RunSettings runs,
    int activeRuns,
    long memoryBudget,
    Duration shutdownGrace,
    Duration lease,
    Duration callTimeout) {}
