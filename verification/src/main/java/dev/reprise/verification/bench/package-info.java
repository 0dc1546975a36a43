/**
 * Measures the engine on the machine it runs on: {@code ./reprise bench}.
 *
 * <p>Start with {@code Bench}. Each {@code Workload} is a class of its own: {@code ClosedLoop} (W1,
 * throughput, with {@code RawLimit} as the yardstick), {@code OneAtATime} (W2, latency, with {@code
 * BareCommits} as the yardstick), {@code FanOut} (W3), {@code Sleepers} (W4), {@code Signals} (W5),
 * {@code LongRun} (W6), {@code CrashRecovery} (W7) and {@code ParkedRuns}; {@code Footprint},
 * {@code Scale}, {@code ManyEngines}, {@code ClosedRuns} and {@code Replay} if asked for. What W1
 * costs is read by a {@code CostMeter}. They check what the workflows return, and leave their
 * figures in a {@code Report}. Figures are no tests: nothing fails for being slow.
 *
 * <p>What is measured is a {@code Subject}: an engine at work, of some {@code Contestant}. There is
 * {@code Ours}, and modules under {@code peers} have others; a {@code Contest} measures both, each
 * in a {@code ContestantProcess}, and a {@code Comparison} is what comes of it.
 */
@NullMarked
package dev.reprise.verification.bench;

import org.jspecify.annotations.NullMarked;
