package dev.reprise.verification.bench;

import dev.reprise.verification.bench.StepLedger.Entry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/**
 * Compares what the histories say with what the steps themselves wrote down, after a process was
 * killed and another one has completed its work.
 *
 * @param workflows how many there must be
 * @param steps that each must have
 */
record CrashAudit(int workflows, int steps) {
  static final String LOST = "lost";
  static final String DUPLICATED = "duplicated";

  /**
   * What was found.
   *
   * @param again steps that both processes ran because the end of the first try was not durable
   * @param lost workflows that are not completed, and steps that are not recorded or never ran
   * @param duplicated steps recorded more than once, and those run again though it was durable that
   *     they had ended
   */
  record Found(int again, int lost, int duplicated) {
    void addTo(Series series) {
      series.add("run again", again).add(LOST, lost).add(DUPLICATED, duplicated);
    }

    private Found plus(Found other) {
      return new Found(again + other.again, lost + other.lost, duplicated + other.duplicated);
    }
  }

  /**
   * What was recorded until the kill was durable at the kill, and so was every step after which the
   * first process began another.
   */
  Found check(Records records, List<Entry> ledger, Instant killed) {
    var runs = ledger.stream().collect(Collectors.groupingBy(Function.identity(), counting()));
    var found = new Found(0, 0, 0);
    for (int number = 0; number < workflows; number++) {
      found = found.plus(check(records, StepLedger.id(number), runs, killed));
    }
    return found;
  }

  private static Collector<Entry, ?, Integer> counting() {
    return Collectors.summingInt(_ -> 1);
  }

  private Found check(Records records, String id, Map<Entry, Integer> runs, Instant killed) {
    var stored = records.steps(id).orElse(null);
    if (stored == null) return new Found(0, 1, 0);
    var recorded = stored.stream().collect(Collectors.groupingBy(Records.Step::index));
    var found = new Found(0, 0, 0);
    for (int step = 0; step < steps; step++) {
      var events = recorded.getOrDefault(step, List.of());
      boolean durable =
          events.stream().anyMatch(event -> event.at().isBefore(killed))
              || runs.containsKey(new Entry(CrashingProcess.FIRST, id, step + 1));
      int first = runs.getOrDefault(new Entry(CrashingProcess.FIRST, id, step), 0);
      int second = runs.getOrDefault(new Entry(CrashingProcess.SECOND, id, step), 0);
      found = found.plus(check(events.size(), durable, first, second));
    }
    return found;
  }

  /**
   * One step: how often it is recorded, whether its end was durable at the kill, and how often each
   * of the two processes began it.
   */
  static Found check(int recorded, boolean durable, int first, int second) {
    if (recorded == 0 || first + second == 0) return new Found(0, 1, 0);
    boolean repeated = first > 1 || second > (durable ? 0 : 1);
    return new Found(
        first > 0 && second > 0 && !durable ? 1 : 0, 0, recorded - 1 + (repeated ? 1 : 0));
  }
}
