package dev.reprise.verification.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Locale;

/**
 * How much memory runs take that wait for a signal, in a process of its own with a small heap.
 *
 * @param count how many runs
 * @param sample how many of them are sent their signal in the end
 * @param heap of that process, as the JVM's option has it
 */
record ParkedRuns(int count, int sample, String heap) implements Workload {
  static final String ID = "parked";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public boolean isInOtherProcesses() {
    return true;
  }

  @Override
  public void measure(Site site, Report report)
      throws IOException, SQLException, InterruptedException {
    var setting = String.format(Locale.ROOT, "%,d runs in %s", count, heap);
    report.begin(this, site, setting);
    try (var database = site.create()) {
      report.add(this, site, setting, measure(database));
    }
  }

  private Series measure(Database database) throws IOException, InterruptedException {
    var process =
        JavaProcess.of(
                heap,
                ParkingProcess.class,
                database.url(),
                Integer.toString(count),
                Integer.toString(sample))
            .start();
    var series = new Series();
    try (var lines = process.inputReader()) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var parts = line.split("=", 2);
        series.add(parts[0], Double.parseDouble(parts[1]));
      }
    } finally {
      process.destroy(); // it has ended, unless this thread gave up
    }
    int exit = process.waitFor();
    if (exit != 0) throw new IllegalStateException("the process with the runs ended with " + exit);
    return series;
  }
}
