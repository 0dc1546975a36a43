package dev.reprise.verification.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * W7: a process is killed in the middle of its work, and another one is started at once on the same
 * database. Counts how long that takes to complete all, and checks that nothing was lost and that
 * nothing durable was done again.
 *
 * @param workflows how many are in flight
 * @param steps of each
 * @param rounds kills, each with a new database
 */
record CrashRecovery(int workflows, int steps, int rounds) implements Workload {
  static final String ID = "W7";
  private static final String HEAP = "1g";
  private static final long POLL_MILLIS = 1;

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
    if (site.kind() == StoreKind.MEMORY) return; // it ends with its process
    var setting = String.format(Locale.ROOT, "%,d workflows of %d steps", workflows, steps);
    report.begin(this, site, setting);
    var series = new Series();
    for (int round = 0; round < rounds; round++) {
      try (var database = site.create()) {
        measure(site, database.url(), series);
      }
    }
    report.add(this, site, setting, series);
    report.note(
        this,
        "seconds from the start of the second process until all are completed; goal 2 or less");
    report.note(
        this,
        "run again: steps whose end was not durable at the kill. lost: workflows or steps that are"
            + " missing. duplicated: steps recorded twice, or run again though durable. goal 0 and"
            + " 0");
    if (total(series, CrashAudit.LOST) + total(series, CrashAudit.DUPLICATED) == 0) return;
    report.wrong(this, "on %s something was lost or duplicated".formatted(site.label()));
  }

  private static double total(Series series, String figure) {
    return series.of(figure).stream().mapToDouble(Double::doubleValue).sum();
  }

  private void measure(Site site, String url, Series series)
      throws IOException, InterruptedException {
    var ledger = site.newFolder().resolve("ledger.txt");
    var arguments = List.of(site.contestant().name(), url, ledger.toString());
    long killedAt = killInTheMiddle(arguments, ledger);
    var killed = Instant.now();
    double up;
    long begin = System.nanoTime();
    var second = start(arguments, CrashingProcess.SECOND);
    try (var words = second.inputReader()) {
      await(words, CrashingProcess.UP);
      up = (System.nanoTime() - begin) / 1e9;
      await(words, CrashingProcess.COMPLETED);
      series.add("seconds", (System.nanoTime() - begin) / 1e9).add("seconds until up", up);
      if (second.waitFor() != 0) throw new IllegalStateException("a workflow gave a wrong result");
    } finally {
      second.destroy(); // it has ended by itself, unless this thread gave up
    }
    series.add("steps at the kill", killedAt);
    // Between the two lives, so that the clock of the database may be a little off.
    var between = killed.plusNanos((long) (up / 2 * 1e9));
    var audit = new CrashAudit(workflows, steps);
    try (var records = site.contestant().read(url)) {
      audit.check(records, StepLedger.read(ledger), between).addTo(series);
    }
  }

  /** Gives the number of steps that had begun by then. */
  private long killInTheMiddle(List<String> arguments, Path ledger)
      throws IOException, InterruptedException {
    var first = start(arguments, CrashingProcess.FIRST);
    try {
      long half = (long) workflows * steps / 2;
      while (StepLedger.count(ledger) < half && first.isAlive()) Thread.sleep(POLL_MILLIS);
      if (!first.isAlive()) throw new IllegalStateException("ended before it was killed");
    } finally {
      first.destroyForcibly().waitFor();
    }
    return StepLedger.count(ledger);
  }

  private Process start(List<String> arguments, int life) throws IOException {
    var all = new ArrayList<>(arguments);
    for (int number : new int[] {life, workflows, steps}) all.add(Integer.toString(number));
    return JavaProcess.of(HEAP, CrashingProcess.class, all.toArray(String[]::new)).start();
  }

  private static void await(BufferedReader words, String expected) throws IOException {
    for (var word = words.readLine(); word != null; word = words.readLine()) {
      if (word.equals(expected)) return;
    }
    throw new IllegalStateException("the second process ended before it was " + expected);
  }
}
