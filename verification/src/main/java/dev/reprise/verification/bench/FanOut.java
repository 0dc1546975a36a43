package dev.reprise.verification.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Locale;

/**
 * W3: one workflow that starts many steps in parallel and joins them.
 *
 * @param width how many steps
 * @param warmUps workflows before the first that counts
 * @param rounds workflows that count
 */
record FanOut(int width, int warmUps, int rounds) implements Workload {
  static final String ID = "W3";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public void measure(Site site, Report report) throws IOException, SQLException {
    var setting = String.format(Locale.ROOT, "%,d parallel steps", width);
    report.begin(this, site, setting);
    try (var bed = site.open()) {
      for (int i = 0; i < warmUps; i++) bed.run(Job.PARALLEL, width);
      var series = new Series();
      for (int i = 0; i < rounds; i++) {
        long begin = System.nanoTime();
        bed.run(Job.PARALLEL, width);
        series.add("seconds", (System.nanoTime() - begin) / 1e9);
      }
      report.add(this, site, setting, series);
      bed.checkSteps();
    }
    report.note(this, "goal 0.05 s or less");
  }
}
