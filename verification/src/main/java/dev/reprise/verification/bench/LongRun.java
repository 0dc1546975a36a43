package dev.reprise.verification.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * W6: one workflow of very many steps, and whether the last cost more than the first. The same from
 * few to far more steps is called long.
 *
 * @param id which of the two
 * @param lengths how many steps, case after case
 * @param warmUp steps before anything counts
 * @param rounds workflows of each length, at least
 */
record LongRun(String id, List<Integer> lengths, int warmUp, int rounds) implements Workload {
  static final String ID = "W6";
  static final String ALL_LENGTHS = "long";
  private static final int LEAST_STEPS = 1_000; // in all rounds, so that short ones say something

  LongRun {
    lengths = List.copyOf(lengths);
  }

  LongRun(List<Integer> lengths, int warmUp, int rounds) {
    this(ID, lengths, warmUp, rounds);
  }

  @Override
  public void measure(Site site, Report report) throws IOException, SQLException {
    for (int length : lengths) {
      var setting = String.format(Locale.ROOT, "%,d steps", length);
      report.begin(this, site, setting);
      try (var bed = site.open()) {
        bed.run(Job.SEQUENCE, warmUp);
        var series = new Series();
        int times = Math.max(rounds, LEAST_STEPS / length);
        for (int i = 0; i < times; i++) measure(bed, length, series);
        report.add(this, site, setting, series);
        bed.checkSteps();
      }
    }
    report.note(
        this,
        "first and last: the first and the last tenth; goals last/first 1.3 or less, and 10,000"
            + " steps in 2.6 s or less");
  }

  private static void measure(TestBed bed, int length, Series series) {
    long begin = System.nanoTime();
    var id = bed.run(Job.SEQUENCE, length);
    double seconds = (System.nanoTime() - begin) / 1e9;
    var times = stepTimes(bed, id);
    int tenth = length / 10;
    double first = micros(times.get(0), times.get(tenth)) / tenth;
    double last = micros(times.get(length - 1 - tenth), times.get(length - 1)) / tenth;
    series.add("seconds", seconds).add("µs/step", seconds * 1e6 / length);
    series.add("first µs/step", first).add("last µs/step", last).add("last/first", last / first);
  }

  /** When each step ended, as it is stored. */
  private static List<Instant> stepTimes(TestBed bed, String id) {
    return bed.subject().steps(id).orElseThrow().stream().map(Records.Step::at).toList();
  }

  private static double micros(Instant from, Instant to) {
    return Duration.between(from, to).toNanos() / 1e3;
  }
}
