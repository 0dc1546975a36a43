package dev.reprise.verification.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * W1: how much goes through. So many clients, each of which starts a workflow of ten steps, waits
 * for its result, and begins again.
 *
 * @param clients how many at once, case after case
 * @param warmUp before anything counts
 * @param window what counts, cut into rounds
 */
record ClosedLoop(List<Integer> clients, Duration warmUp, Duration window) implements Workload {
  static final String ID = "W1";
  static final int STEPS = 10;
  static final int ROUNDS = 4;
  private static final int COMPILING_CLIENTS = 100;

  ClosedLoop {
    clients = List.copyOf(clients);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public void measure(Site site, Report report) throws IOException, InterruptedException {
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
    report.note(this, "goal on SQLite at 1,000 in flight: 50,000 steps/s or more");
  }

  /** Lets the JVM compile the code, so that the first case is not worse for being the first. */
  private void compile(Site site) throws IOException, InterruptedException {
    try (var bed = site.open()) {
      var clients = Clients.start(bed, COMPILING_CLIENTS, 0);
      Thread.sleep(warmUp.multipliedBy(2));
      clients.stop();
    }
  }

  private Series measure(TestBed bed, int count) throws InterruptedException {
    var clients = Clients.start(bed, count, ROUNDS);
    Thread.sleep(warmUp);
    var marks = new ArrayList<Mark>();
    for (int round = 0; round < ROUNDS; round++) {
      clients.enter(round);
      marks.add(Mark.now(bed));
      Thread.sleep(window.dividedBy(ROUNDS));
    }
    marks.add(Mark.now(bed));
    clients.stop();

    var series = new Series();
    for (int round = 0; round < ROUNDS; round++) {
      var latencies = clients.latencies(round);
      add(series, marks.get(round), marks.get(round + 1), latencies);
    }
    return series;
  }

  private static void add(Series series, Mark from, Mark to, Latencies latencies) {
    double seconds = (to.cpu().at() - from.cpu().at()) / 1e9;
    series.add("steps/s", (to.steps() - from.steps()) / seconds);
    series.add("workflows/s", latencies.count() / seconds);
    series.add("p50 ms", latencies.percentile(50));
    series.add("p99 ms", latencies.percentile(99));
    series.add("cores", to.cpu().coresSince(from.cpu()));
  }

  /** How far things were between two rounds. */
  private record Mark(Cpu cpu, long steps) {
    static Mark now(TestBed bed) {
      return new Mark(Cpu.now(), bed.steps().executions());
    }
  }
}
