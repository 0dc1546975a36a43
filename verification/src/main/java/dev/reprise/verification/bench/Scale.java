package dev.reprise.verification.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * W1 from very few to very many in flight: what goes through, and how long each takes.
 *
 * <p>With many in flight one workflow takes longer than the window. A round then goes on until so
 * many steps have run as all clients together have in one workflow each.
 *
 * @param clients how many at once, case after case
 * @param warmUp before anything counts, at least
 * @param window what counts at least, cut into rounds
 */
record Scale(List<Integer> clients, Duration warmUp, Duration window) implements Workload {
  static final String ID = "scale";
  static final int ROUNDS = 3;
  private static final int COMPILING_CLIENTS = 100;
  private static final long POLL_MILLIS = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(3); // with one round

  Scale {
    clients = List.copyOf(clients);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public void measure(Site site, Report report)
      throws IOException, SQLException, InterruptedException {
    report.begin(this, site, "warm-up");
    compile(site);
    for (int count : clients) {
      var setting = String.format(Locale.ROOT, "%,d in flight", count);
      report.begin(this, site, setting);
      try (var bed = site.open()) {
        report.add(this, site, setting, measure(bed, count));
        bed.checkSteps();
      }
    }
    report.note(
        this,
        "as W1, and a round lasts until each client has had a workflow, on average; an engine has"
            + " 1,000 runs active at once, and the others wait for their turn");
  }

  /** Lets the JVM compile the code, so that the first case is not worse for being the first. */
  private void compile(Site site) throws IOException, SQLException, InterruptedException {
    try (var bed = site.open()) {
      var clients = Clients.start(bed, COMPILING_CLIENTS, 0);
      Thread.sleep(warmUp.multipliedBy(2));
      clients.stop();
    }
  }

  private Series measure(TestBed bed, int count) throws InterruptedException {
    var clients = Clients.start(bed, count, ROUNDS);
    awaitGeneration(clients, bed, count, warmUp);
    var times = new ArrayList<Long>();
    var steps = new ArrayList<Long>();
    for (int round = 0; round < ROUNDS; round++) {
      clients.enter(round);
      times.add(System.nanoTime());
      steps.add(bed.probes().steps().executions());
      awaitGeneration(clients, bed, count, window.dividedBy(ROUNDS));
    }
    times.add(System.nanoTime());
    steps.add(bed.probes().steps().executions());
    clients.stop();

    var series = new Series();
    for (int round = 0; round < ROUNDS; round++) {
      double seconds = (times.get(round + 1) - times.get(round)) / 1e9;
      var latencies = clients.latencies(round);
      series.add("steps/s", (steps.get(round + 1) - steps.get(round)) / seconds);
      series.add("workflows/s", latencies.count() / seconds);
      series.add("p50 ms", latencies.percentile(50));
      series.add("p99 ms", latencies.percentile(99));
    }
    return series;
  }

  /** Waits for that time, and until as many steps have run as a workflow of each client has. */
  private static void awaitGeneration(Clients clients, TestBed bed, int count, Duration least)
      throws InterruptedException {
    long enough = bed.probes().steps().executions() + (long) count * ClosedLoop.STEPS;
    long begin = System.nanoTime();
    Thread.sleep(least);
    while (bed.probes().steps().executions() < enough && !clients.hasFailed()) {
      if (System.nanoTime() - begin > PATIENCE.toNanos()) return; // the figures tell
      Thread.sleep(POLL_MILLIS);
    }
  }
}
