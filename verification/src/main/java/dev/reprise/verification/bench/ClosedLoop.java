package dev.reprise.verification.bench;

import dev.reprise.engine.store.EventRow;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * W1: how much goes through. So many clients, each of which starts a workflow of ten steps, waits
 * for its result, and begins again. On a database, after each case the same rows by as many threads
 * and a bare group commit; and after the one with the most clients the raw limit, the same rows in
 * batches with nobody who waits.
 *
 * @param clients how many at once, case after case
 * @param warmUp before anything counts
 * @param window what counts, cut into rounds
 */
record ClosedLoop(List<Integer> clients, Duration warmUp, Duration window) implements Workload {
  static final String ID = "W1";
  static final String COST = ID + " cost";
  static final int STEPS = 10;
  static final int ROUNDS = 4;
  private static final String STEPS_RATE = "steps/s";
  private static final String EVENTS_RATE = "events/s";
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
    var costs = new LinkedHashMap<String, Series>();
    for (int count : clients) {
      var setting = inFlight(count);
      report.begin(this, site, setting);
      try (var bed = site.open()) {
        var series = measure(site, bed, count, costs);
        bed.checkSteps();
        if (site.kind() == StoreKind.MEMORY || !site.isOurs())
          report.add(this, site, setting, series);
        else besideBareRows(bed, series, count, site, report);
      }
    }
    costs.forEach((setting, series) -> report.add(COST, site, setting, series));
    if (site.kind() != StoreKind.MEMORY) note(report);
  }

  private void note(Report report) {
    report.note(
        this,
        "goals in steps/s on 2 cores: on postgres 3,500, 15,000, 60,000 and 100,000 at 1, 10, 100"
            + " and 1,000 in flight; on sqlite 70,000 at 1,000; share of raw 0.4");
    report.note(
        COST,
        "transactions: those that write. flushes: of the disk below the database, for each workflow"
            + " of ten steps, whoever asked for them; goal at 100 in flight 0.3 or less");
    report.note(COST, "engine: this process, with the clients; CPU: that and the database");
  }

  private void besideBareRows(TestBed bed, Series series, int count, Site site, Report report)
      throws SQLException, InterruptedException {
    var history = bed.rows(bed.run(Job.SEQUENCE, STEPS));
    var raw = new Series();
    try (var table = BareTable.in(bed.url())) {
      besideBareGroupCommit(table, history, series, count);
      if (count == Collections.max(clients)) {
        besideRawLimit(new RawLimit(table, history, batch(count)), history.size(), series, raw);
      }
    }
    report.add(this, site, inFlight(count), series);
    if (raw.of(EVENTS_RATE).isEmpty()) return;
    report.add(this, site, String.format(Locale.ROOT, "raw, %,d rows a commit", batch(count)), raw);
    report.note(
        this,
        "raw: the same rows in a table like events in the same database, by JDBC on one"
            + " connection, with no engine; share: events/s by raw events/s");
    report.note(
        this,
        "bare: as many threads that wait for each of the same rows, one writer that commits what"
            + " waits, no engine; share: steps/s by bare steps/s");
  }

  private static int batch(int count) {
    return Math.min(count, LARGEST_BATCH);
  }

  private void besideBareGroupCommit(
      BareTable table, List<EventRow> history, Series series, int count)
      throws InterruptedException {
    try (var bare = BareGroupCommit.start(table, history, count)) {
      bare.measure(warmUp);
      for (double steps : series.of(STEPS_RATE)) {
        double rate = bare.measure(window.dividedBy(2 * ROUNDS));
        series.add("bare steps/s", rate).add("share of bare", steps / rate);
      }
    }
  }

  private void besideRawLimit(RawLimit limit, int rows, Series series, Series raw)
      throws SQLException {
    limit.measure(warmUp);
    for (double steps : series.of(STEPS_RATE)) {
      double events = steps * rows / STEPS;
      double rate = limit.measure(window.dividedBy(2 * ROUNDS));
      raw.add(EVENTS_RATE, rate);
      series.add(EVENTS_RATE, events).add("share of raw", events / rate);
    }
  }

  private static String inFlight(int count) {
    return String.format(Locale.ROOT, "%,d in flight", count);
  }

  /** Lets the JVM compile the code, so that the first case is not worse for being the first. */
  private void compile(Site site) throws IOException, SQLException, InterruptedException {
    try (var bed = site.open()) {
      var clients = Clients.start(bed, COMPILING_CLIENTS, 0);
      Thread.sleep(warmUp.multipliedBy(8));
      clients.stop();
    }
  }

  private Series measure(Site site, TestBed bed, int count, Map<String, Series> costs)
      throws IOException, SQLException, InterruptedException {
    var marks = new ArrayList<Costs>();
    var clients = Clients.start(bed, count, ROUNDS);
    try (var meter = CostMeter.of(site, bed)) {
      Thread.sleep(warmUp);
      for (int round = 0; round < ROUNDS; round++) {
        clients.enter(round);
        marks.add(meter.now());
        Thread.sleep(window.dividedBy(ROUNDS));
      }
      marks.add(meter.now());
    }
    clients.stop();

    var series = new Series();
    var cost = costs.computeIfAbsent(inFlight(count), _ -> new Series());
    for (int round = 0; round < ROUNDS; round++) {
      add(series, marks.get(round), marks.get(round + 1), clients.latencies(round));
      marks.get(round + 1).addTo(cost, marks.get(round), STEPS);
    }
    return series;
  }

  private static void add(Series series, Costs from, Costs to, Latencies latencies) {
    double seconds = to.secondsSince(from);
    series.add(STEPS_RATE, (to.steps() - from.steps()) / seconds);
    series.add("workflows/s", latencies.count() / seconds);
    series.add("p50 ms", latencies.percentile(50));
    series.add("p99 ms", latencies.percentile(99));
  }
}
