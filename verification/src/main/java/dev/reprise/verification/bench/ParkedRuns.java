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
    var series = new Series();
    int exit;
    try (var database = site.create()) {
      exit = measure(database, series);
    }
    if (!series.spreads().isEmpty()) report.add(this, site, setting, series);
    if (exit == 0) return;
    report.wrong(
        this, "on %s the process with %s ended with %d".formatted(site.kind(), setting, exit));
  }

  /** Gives the exit code of the process. */
  private int measure(Database database, Series series) throws IOException, InterruptedException {
    var process =
        JavaProcess.of(
                heap,
                ParkingProcess.class,
                database.url(),
                Integer.toString(count),
                Integer.toString(sample))
            .start();
    try (var lines = process.inputReader()) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var parts = line.split("=", 2);
        series.add(parts[0], Double.parseDouble(parts[1]));
      }
    } finally {
      process.destroy(); // it has ended, unless this thread gave up
    }
    return process.waitFor();
  }
}
