package dev.reprise.verification.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * W1: how much goes through. So many clients, each of which starts a workflow of ten steps, waits
 * for its result, and begins again. On a database, after the case with the most clients, the raw
 * limit: the same rows in batches without an engine.
 *
 * @param clients how many at once, case after case
 * @param warmUp before anything counts
 * @param window what counts, cut into rounds
 */
record ClosedLoop(List<Integer> clients, Duration warmUp, Duration window) implements Workload {
  static final String ID = "W1";
  static final int STEPS = 10;
  static final int ROUNDS = 4;
  private static final String STEPS_RATE = "steps/s";
  private static final int COMPILING_CLIENTS = 100;
  private static final int LARGEST_BATCH = 1_000; // what the engine reaches, about

  ClosedLoop {
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
      var setting = inFlight(count);
      report.begin(this, site, setting);
      try (var bed = site.open()) {
        var series = measure(bed, count);
        bed.checkSteps();
        if (site.kind() == StoreKind.MEMORY || !site.isOurs() || count < Collections.max(clients)) {
          report.add(this, site, setting, series);
        } else {
          besideRawLimit(bed, series, count, site, report);
        }
      }
    }
    if (site.kind() == StoreKind.POSTGRES) {
      report.note(this, "cores: on postgres those of this process, without the server's");
    }
    report.note(this, "goal at 1,000 in flight on a database: 50,000 steps/s or more");
  }

  private void besideRawLimit(TestBed bed, Series series, int count, Site site, Report report)
      throws SQLException {
    var history = bed.rows(bed.run(Job.SEQUENCE, STEPS));
    int batch = Math.min(count, LARGEST_BATCH);
    var setting = String.format(Locale.ROOT, "raw, %,d rows a commit", batch);
    var raw = new Series();
    try (var table = BareTable.in(bed.url())) {
      var limit = new RawLimit(table, history, batch);
      limit.measure(warmUp);
      for (double steps : series.of(STEPS_RATE)) {
        double events = steps * history.size() / STEPS;
        double rows = limit.measure(window.dividedBy(2 * ROUNDS));
        raw.add("events/s", rows);
        series.add("events/s", events).add("share of raw", events / rows);
      }
    }
    report.add(this, site, inFlight(count), series);
    report.add(this, site, setting, raw);
    report.note(
        this,
        "raw: the same rows in a table like events in the same database, by JDBC on one"
            + " connection, with no engine; share: events/s by raw events/s");
  }

  private static String inFlight(int count) {
    return String.format(Locale.ROOT, "%,d in flight", count);
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
    series.add(STEPS_RATE, (to.steps() - from.steps()) / seconds);
    series.add("workflows/s", latencies.count() / seconds);
    series.add("p50 ms", latencies.percentile(50));
    series.add("p99 ms", latencies.percentile(99));
    series.add("cores", to.cpu().coresSince(from.cpu()));
  }

  /** How far things were between two rounds. */
  private record Mark(Cpu cpu, long steps) {
    static Mark now(TestBed bed) {
      return new Mark(Cpu.now(), bed.probes().steps().executions());
    }
  }
}
