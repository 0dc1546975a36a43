package dev.reprise.verification.bench;

import dev.reprise.verification.bench.Subject.Run;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;

/**
 * W4: many workflows that sleep, and how late they wake up: when the code went on after the sleep,
 * minus when it called it and the length of the sleep. So the time to record the sleep counts.
 *
 * @param count how many workflows
 * @param sleep how long each
 * @param over the time in which they are started, evenly; none is as fast as they can be
 */
record Sleepers(int count, Duration sleep, Duration over) implements Workload {
  static final String ID = "W4";
  private static final Crowd CLIENTS = new Crowd(64);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long POLL_MILLIS = 10;
  private static final int WARM_UP = 2_000;
  private static final int SHORT_MILLIS = 100;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public void measure(Site site, Report report)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    if (!over.isZero()) measure(site, report, over);
    measure(site, report, Duration.ZERO);
    report.note(
        this,
        "late: when the code went on minus when it called sleep, minus the sleep;"
            + " goal p99 50 ms or less");
  }

  private void measure(Site site, Report report, Duration pace)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    var setting =
        String.format(
            Locale.ROOT,
            "%,d sleeps of %s s, started %s",
            count,
            seconds(sleep),
            pace.isZero() ? "at once" : "over %s s".formatted(seconds(pace)));
    report.begin(this, site, setting);
    warmUp(site);
    var probes = new Probes();
    var runs = new Run[count];
    try (var bed = site.open(probes)) {
      warmUp(bed);
      var series = new Series();
      long begin = System.nanoTime();
      CLIENTS.each(count, number -> runs[number] = start(bed, number, begin, pace));
      double started = (System.nanoTime() - begin) / 1e9;
      await(runs, probes.alarms());
      var late = probes.alarms().lateness(sleep);
      series.add("late p50 ms", late.percentile(50)).add("late p99 ms", late.percentile(99));
      series.add("late max ms", late.percentile(100));
      series.add("seconds to start", started);
      series.add("seconds in all", (System.nanoTime() - begin) / 1e9);
      report.add(this, site, setting, series);
    }
  }

  /** Lets the JVM compile what sleeps and wakes up. */
  private void warmUp(Site site)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    int few = Math.min(count, WARM_UP);
    var runs = new Run[few];
    try (var bed = site.open()) {
      var engine = bed.subject();
      CLIENTS.each(few, n -> runs[n] = engine.start(Job.SLEEPING, "warm-up-" + n, SHORT_MILLIS));
      CLIENTS.each(few, n -> runs[n].result());
    }
  }

  /** Lets the JVM compile what starts, stores and ends runs. */
  private void warmUp(TestBed bed) throws ExecutionException, InterruptedException {
    CLIENTS.each(count, _ -> bed.run(Job.SEQUENCE, 1));
  }

  private Run start(TestBed bed, int number, long begin, Duration pace) {
    long due = begin + pace.toNanos() / count * number;
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return bed.subject().start(Job.SLEEPING, "sleeper-" + number, (int) sleep.toMillis());
  }

  /** Looks at no run before all have woken up: that would be work for the database. */
  private void await(Run[] runs, Alarms alarms) throws ExecutionException, InterruptedException {
    long deadline = System.nanoTime() + sleep.plus(PATIENCE).toNanos();
    while (alarms.woken() < count) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("%d of %d woke up".formatted(alarms.woken(), count));
      }
      Thread.sleep(POLL_MILLIS);
    }
    CLIENTS.each(count, n -> runs[n].result());
  }

  private static String seconds(Duration duration) {
    return Double.toString(duration.toMillis() / 1e3).replaceFirst("\\.0$", "");
  }
}
