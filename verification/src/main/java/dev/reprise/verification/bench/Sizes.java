package dev.reprise.verification.bench;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How much of everything is measured.
 *
 * @param clients how many workflows W1 has in flight, case after case
 * @param warmUp seconds of W1 before anything counts
 * @param seconds of W1 that count
 */
record Sizes(List<Integer> clients, int warmUp, int seconds) {
  /** The workloads that every engine can have. */
  static final List<String> CONTESTED =
      List.of(
          ClosedLoop.ID,
          OneAtATime.ID,
          FanOut.ID,
          Sleepers.ID,
          Signals.ID,
          LongRun.ID,
          CrashRecovery.ID);

  private static final List<Integer> SCALE = List.of(1, 10, 100, 1_000, 10_000, 100_000);
  private static final List<Integer> LENGTHS = List.of(10, 100, 1_000, 10_000, 100_000);
  private static final List<Integer> BACKLOGS = List.of(1_000, 10_000, 100_000, 1_000_000);

  Sizes {
    clients = List.copyOf(clients);
  }

  Optional<Workload> workload(String id) {
    var name = id.startsWith("w") ? id.toUpperCase(Locale.ROOT) : id;
    return Optional.ofNullable(
        switch (name) {
          case ClosedLoop.ID ->
              new ClosedLoop(clients, Duration.ofSeconds(warmUp), Duration.ofSeconds(seconds));
          case OneAtATime.ID -> new OneAtATime(3_000, 7, 600, 300);
          case FanOut.ID -> new FanOut(1_000, 20, 20);
          case Sleepers.ID -> new Sleepers(10_000, Duration.ofSeconds(5), Duration.ofSeconds(4));
          case Signals.ID -> new Signals(1_000, 50, 3, 7);
          case LongRun.ID -> new LongRun(List.of(1_000, 5_000, 10_000), 5_000, 3);
          case CrashRecovery.ID -> new CrashRecovery(1_000, 10, 5);
          case QueuedWork.ID -> new QueuedWork(1_000, 10, 20_000, 300);
          case Replay.ID -> new Replay(10_000, 10, 20);
          case ClosedRuns.ID -> new ClosedRuns(BACKLOGS, 100, 100, 5);
          case Scale.ID ->
              new Scale(SCALE, Duration.ofSeconds(warmUp), Duration.ofSeconds(seconds));
          case ManyEngines.ID ->
              new ManyEngines(
                  1_000, Duration.ofSeconds(25L + warmUp), Duration.ofSeconds(seconds), 3);
          case LongRun.ALL_LENGTHS -> new LongRun(LongRun.ALL_LENGTHS, LENGTHS, 5_000, 2);
          case Footprint.ID -> new Footprint(9, Duration.ofSeconds(60), Duration.ofSeconds(20));
          default -> null;
        });
  }

  /** For the command line of a process; {@link #parse} reads it. */
  List<String> arguments() {
    var counts = clients.stream().map(String::valueOf).collect(Collectors.joining(","));
    return List.of(counts, Integer.toString(warmUp), Integer.toString(seconds));
  }

  static Sizes parse(List<String> arguments) {
    return new Sizes(
        Stream.of(arguments.get(0).split(",")).map(Integer::valueOf).toList(),
        Integer.parseInt(arguments.get(1)),
        Integer.parseInt(arguments.get(2)));
  }
}
