package dev.reprise.verification.simulation;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * What a simulation is like, drawn from its seed. Each kind of fault is there in some simulations
 * and not in others, because many faults at once can hide what one of them does.
 *
 * @param nodes engine processes
 * @param clients processes that only start and signal
 * @param workers processes that only serve queues
 * @param workflows how many
 * @param lease of the nodes
 * @param callTimeout of the nodes
 * @param activeRuns how many may be active in a node
 * @param memoryBudget of a node
 * @param latency of a statement, each way, in nanoseconds
 * @param slow of 1,000 statements, how many take very long
 * @param refused of 1,000 statements, how many are not done
 * @param lost of 1,000 statements, how many are done and not answered
 * @param late of 1,000 statements, how many are done after the caller has given up
 * @param hintsLost of 100 hints
 * @param hintsDoubled of 100 hints
 * @param hintDelay the longest, in nanoseconds
 * @param crashes of processes
 * @param freezes of processes
 * @param pauses of threads, each before the reading of a clock
 * @param absences how often a process cannot be seen for a while
 * @param outages of the database
 * @param misreads histories that are loaded with a flipped bit
 * @param evictions of runs from memory
 * @param clockJumps of the clock of the database
 * @param restarts in good order
 * @param closings of workers, in good order
 * @param limits whether the limits of queues change
 * @param poison whether there is a run that kills its processes
 * @param loss whether one engine is lost for good when the other trouble is over
 * @param trouble how long faults go on
 */
record Plan(
    int nodes,
    int clients,
    int workers,
    int workflows,
    Duration lease,
    Duration callTimeout,
    int activeRuns,
    long memoryBudget,
    int latency,
    int slow,
    int refused,
    int lost,
    int late,
    int hintsLost,
    int hintsDoubled,
    int hintDelay,
    int crashes,
    int freezes,
    int pauses,
    int absences,
    int outages,
    int misreads,
    int evictions,
    int clockJumps,
    int restarts,
    int closings,
    boolean limits,
    boolean poison,
    boolean loss,
    Duration trouble) {

  static Plan draw(RandomGenerator random) {
    return new Plan(
        1 + random.nextInt(4),
        random.nextInt(2),
        pick(random, 0, 0, 1, 2),
        3 + random.nextInt(6),
        Duration.ofMillis(pick(random, 1_000, 2_500, 10_000)),
        Duration.ofMillis(500 + random.nextInt(8_000)),
        pick(random, 1, 2, 5, 1_000),
        pick(random, 0, 20_000, 1 << 30, 1 << 30),
        pick(random, 50_000, 500_000, 5_000_000),
        rarely(random, 20),
        rarely(random, 40),
        rarely(random, 40),
        rarely(random, 30),
        pick(random, 0, 0, 10, 50, 100),
        pick(random, 0, 0, 20),
        pick(random, 100_000, 10_000_000, 2_000_000_000),
        rarely(random, 5),
        rarely(random, 4),
        rarely(random, 10),
        rarely(random, 8),
        rarely(random, 3),
        rarely(random, 3),
        rarely(random, 20),
        rarely(random, 3),
        rarely(random, 3),
        rarely(random, 5),
        random.nextInt(3) == 0,
        random.nextInt(8) == 0,
        random.nextBoolean(),
        Duration.ofMillis(1_000 + random.nextInt(7_000)));
  }

  private static int pick(RandomGenerator random, int... values) {
    return values[random.nextInt(values.length)];
  }

  /** Nothing in half of the simulations. */
  private static int rarely(RandomGenerator random, int most) {
    return random.nextBoolean() ? 0 : 1 + random.nextInt(most);
  }
}
