package dev.reprise.verification.bench;

import java.util.EnumMap;
import java.util.Map;

/**
 * What had been used up at some moment. Only the difference of two says anything.
 *
 * @param cpu of this process
 * @param steps that had run
 * @param counters those that can be read where this runs
 */
record Costs(Cpu cpu, long steps, Map<Counter, Long> counters) {
  private static final double NANOS_PER_MICRO = 1e3;

  /** What is counted beside the time of this process. */
  enum Counter {
    DATABASE_CPU,
    LOG_BYTES,
    FILE_BYTES,
    TRANSACTIONS,
    FLUSHES
  }

  Costs {
    counters = new EnumMap<>(counters);
  }

  double secondsSince(Costs before) {
    return (cpu.at() - before.cpu.at()) / 1e9;
  }

  /** Adds what a round cost that began with those; the workflows have so many steps. */
  void addTo(Series series, Costs before, int stepsOfWorkflow) {
    double nanos = cpu.at() - before.cpu.at();
    double done = steps - before.steps;
    double engine = cpu.used() - before.cpu.used();
    double database = since(before, Counter.DATABASE_CPU);
    series.add("engine cores", engine / nanos);
    if (counters.containsKey(Counter.DATABASE_CPU)) series.add("database cores", database / nanos);
    series.add("CPU µs/step", (engine + database) / NANOS_PER_MICRO / done);
    for (var counter : counters.keySet()) {
      double used = since(before, counter);
      switch (counter) {
        case DATABASE_CPU -> {}
        case LOG_BYTES -> series.add("WAL bytes/step", used / done);
        case FILE_BYTES -> series.add("file bytes/step", used / done);
        case TRANSACTIONS -> series.add("transactions/step", used / done);
        case FLUSHES -> series.add("flushes/workflow", used / done * stepsOfWorkflow);
      }
    }
  }

  private double since(Costs before, Counter counter) {
    return counters.getOrDefault(counter, 0L) - before.counters.getOrDefault(counter, 0L);
  }
}
