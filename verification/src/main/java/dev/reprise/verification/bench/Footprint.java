package dev.reprise.verification.bench;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;

/**
 * What an application pays for an engine that has nothing to do: the time until its first workflow
 * is completed, and then memory and processor. With a plain {@code java}, and with an AOT cache.
 *
 * @param starts of the application, each on an empty database
 * @param settling how long the last one is left alone before it is watched
 * @param watching how long it is
 */
record Footprint(int starts, Duration settling, Duration watching) implements Workload {
  static final String ID = "footprint";

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
    var folder = site.newFolder();
    var application = EmbeddedApplication.in(folder);
    measure(site, report, "plain java", application);
    var cache = folder.resolve("application.aot");
    train(site, application, cache);
    measure(site, report, "java with an AOT cache", application, "-XX:AOTCache=" + cache);
    report.note(
        this,
        "ms from the start of the process until its first workflow of one step is completed, on an"
            + " empty database; goal 1,500 or less on sqlite. CPU ms: of all threads until then");
    report.note(
        this,
        "then idle: goal 1 % of a core or less, 120 MB of resident memory or less. heap: what is in"
            + " use, garbage included");
    report.note(
        this,
        "jars: what reprise-jdbc brings, without the application and what it logs with; goal 10 or"
            + " less");
  }

  private void measure(
      Site site, Report report, String setting, EmbeddedApplication application, String... options)
      throws IOException, SQLException, InterruptedException {
    report.begin(this, site, setting);
    var series = new Series();
    for (int start = 1; start <= starts; start++) {
      try (var database = site.create();
          var process = new IdleProcess(application.command(database.url(), options))) {
        firstWorkflow(process, series);
        if (start == starts) idle(process, series);
        process.end();
      }
    }
    series.add("jars", application.libraries().size());
    report.add(this, site, setting, series);
  }

  private static void firstWorkflow(IdleProcess process, Series series) throws IOException {
    double up = process.await(FootprintProcess.UP);
    double completed = process.await(FootprintProcess.COMPLETED);
    series
        .add("ms", completed)
        .add("ms until up", up)
        .add("CPU ms", process.cpu().toMillis()); // the same on a machine that is busy
  }

  private void idle(IdleProcess process, Series series) throws IOException, InterruptedException {
    Thread.sleep(settling);
    long begin = System.nanoTime();
    var before = process.cpu();
    Thread.sleep(watching);
    var used = process.cpu().minus(before);
    series.add("% of a core", 100.0 * used.toNanos() / (System.nanoTime() - begin));
    process.residentBytes().ifPresent(bytes -> series.add("resident MB", bytes / 1e6));
    series.add("heap MB", process.heapBytes() / 1e6);
  }

  /** Runs the application once to learn what it loads. */
  private static void train(Site site, EmbeddedApplication application, Path cache)
      throws IOException, SQLException, InterruptedException {
    try (var database = site.create()) {
      var command = application.command(database.url(), "-XX:AOTCacheOutput=" + cache);
      // A second JVM, which makes the cache, prints its options there.
      try (var process = new IdleProcess(command.redirectError(Redirect.DISCARD))) {
        process.await(FootprintProcess.COMPLETED);
        process.end();
      }
    }
    if (!Files.exists(cache)) throw new IllegalStateException("the JVM made no AOT cache");
  }
}
