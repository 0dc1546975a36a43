package dev.reprise.verification.bench;

import static dev.reprise.verification.bench.CrashingProcess.FIRST;
import static dev.reprise.verification.bench.CrashingProcess.SECOND;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
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
    measure(site, report, setting, CrashRecovery::plainly);
    if (site.isOurs()) measure(site, report, setting + ", with an AOT cache", withCache(site));
    report.note(
        this,
        "seconds from the start of the second process until all are completed; goal 2 or less");
    report.note(
        this,
        "run again: steps whose end was not durable at the kill. lost: workflows or steps that are"
            + " missing. duplicated: steps recorded twice, or run again though durable. goal 0 and"
            + " 0");
  }

  /** How the second process is started. */
  private interface Launch {
    ProcessBuilder command(List<String> arguments);
  }

  private static ProcessBuilder plainly(List<String> arguments) {
    return JavaProcess.of(HEAP, CrashingProcess.class, arguments.toArray(String[]::new));
  }

  /** As jars, with a cache of what a first life loads and links that is not killed. */
  private Launch withCache(Site site) throws IOException, SQLException, InterruptedException {
    var folder = site.newFolder();
    var application = EmbeddedApplication.in(folder);
    var cache = folder.resolve("recovery.aot");
    try (var database = site.create()) {
      var life = arguments(site, database.url(), folder.resolve("ledger.txt"), FIRST);
      var training =
          application
              .command(CrashingProcess.class, life, "-Xmx" + HEAP, "-XX:AOTCacheOutput=" + cache)
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD) // a second JVM, which makes it, prints its options
              .start();
      if (training.waitFor() != 0) throw new IllegalStateException("the JVM made no AOT cache");
    }
    return arguments ->
        application.command(
            CrashingProcess.class, arguments, "-Xmx" + HEAP, "-XX:AOTCache=" + cache);
  }

  private void measure(Site site, Report report, String setting, Launch launch)
      throws IOException, SQLException, InterruptedException {
    report.begin(this, site, setting);
    var series = new Series();
    for (int round = 0; round < rounds; round++) {
      try (var database = site.create()) {
        measure(site, database.url(), launch, series);
      }
    }
    report.add(this, site, setting, series);
    if (total(series, CrashAudit.LOST) + total(series, CrashAudit.DUPLICATED) == 0) return;
    report.wrong(this, "on %s something was lost or duplicated".formatted(site.label()));
  }

  private static double total(Series series, String figure) {
    return series.of(figure).stream().mapToDouble(Double::doubleValue).sum();
  }

  private void measure(Site site, String url, Launch launch, Series series)
      throws IOException, InterruptedException {
    var ledger = site.newFolder().resolve("ledger.txt");
    long killedAt = killInTheMiddle(arguments(site, url, ledger, FIRST), ledger);
    var killed = Instant.now();
    double up;
    long begin = System.nanoTime();
    var second = launch.command(arguments(site, url, ledger, SECOND)).start();
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
    var first = plainly(arguments).start();
    try {
      long half = (long) workflows * steps / 2;
      while (StepLedger.count(ledger) < half && first.isAlive()) Thread.sleep(POLL_MILLIS);
      if (!first.isAlive()) throw new IllegalStateException("ended before it was killed");
    } finally {
      first.destroyForcibly().waitFor();
    }
    return StepLedger.count(ledger);
  }

  private List<String> arguments(Site site, String url, Path ledger, int life) {
    var all = new ArrayList<>(List.of(site.contestant().name(), url, ledger.toString()));
    for (int number : new int[] {life, workflows, steps}) all.add(Integer.toString(number));
    return all;
  }

  private static void await(BufferedReader words, String expected) throws IOException {
    for (var word = words.readLine(); word != null; word = words.readLine()) {
      if (word.equals(expected)) return;
    }
    throw new IllegalStateException("the second process ended before it was " + expected);
  }
}
