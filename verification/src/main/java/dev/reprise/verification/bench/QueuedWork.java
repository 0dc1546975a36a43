package dev.reprise.verification.bench;

import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Activities on a queue, with one worker: in a process of its own on PostgreSQL, else in that of
 * the engine.
 *
 * @param width how many one workflow asks for at once
 * @param rounds of that
 * @param total activities of the closed loop
 * @param lone activities one at a time, with nothing else to do
 */
record QueuedWork(int width, int rounds, int total, int lone) implements Workload {
  static final String ID = "queued";
  static final int CONCURRENCY = 64;

  private static final int IN_FLIGHT = 500; // workflows of the closed loop
  private static final int STEPS = 10; // activities of each, one after the other
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5); // so that all are idle again

  @Override
  public String id() {
    return ID;
  }

  @Override
  public void measure(Site site, Report report) throws Exception {
    try (var database = site.create();
        var store = new DurableTasks(store(database));
        var engine = engine(store);
        var worker = worker(site, engine, database)) {
      warmUp(engine);
      alone(engine, store, site, report);
      joined(engine, site, report);
      loop(engine, site, report);
      worker.check();
    }
    report.note(this, "goals on PostgreSQL: joined 0.5 s or less, 5,000 activities/s or more,");
    report.note(
        this, "p50 of the hand-out 5 ms or less, from when the activity is durable until it");
    report.note(this, "begins; asked: the same from the call in the workflow, so with that commit");
  }

  private static Store store(Database database) {
    if (database.url().equals(Database.MEMORY)) return new MemoryStore();
    return Reprise.open(database.url(), new StoreProvider.Options(true, false));
  }

  private static Engine engine(Store store) {
    return Reprise.on(store)
        .workflow(new QueuedWorkflows.AtOnce())
        .workflow(new QueuedWorkflows.InTurn())
        .workflow(new QueuedWorkflows.Lone())
        .activities(new QueuedWorkflows.Echo())
        .start();
  }

  private static BenchWorker worker(Site site, Engine engine, Database database)
      throws IOException {
    return site.kind() == StoreKind.POSTGRES
        ? BenchWorker.process(database.url(), CONCURRENCY)
        : BenchWorker.inside(engine, CONCURRENCY);
  }

  private void warmUp(Engine engine) throws ExecutionException, InterruptedException {
    for (int i = 0; i < rounds; i++) atOnce(engine, "warm-" + i);
    new Crowd(IN_FLIGHT).each(total / STEPS, i -> inTurn(engine, "warm-loop-" + i));
  }

  private void atOnce(Engine engine, String id) {
    int sum = engine.start(QueuedWorkflows.AtOnce.class, id, width).result();
    if (sum != Workflows.sumBelow(width)) throw new IllegalStateException(id + " gave " + sum);
  }

  private void joined(Engine engine, Site site, Report report) {
    var setting = String.format(Locale.ROOT, "W3: %,d at once, joined", width);
    report.begin(this, site, setting);
    var series = new Series();
    for (int i = 0; i < rounds; i++) {
      long begin = System.nanoTime();
      atOnce(engine, "joined-" + i);
      series.add("seconds", (System.nanoTime() - begin) / 1e9);
    }
    report.add(this, site, setting, series);
  }

  private void loop(Engine engine, Site site, Report report)
      throws ExecutionException, InterruptedException {
    var setting =
        String.format(Locale.ROOT, "%d workflows in flight, worker of %d", IN_FLIGHT, CONCURRENCY);
    report.begin(this, site, setting);
    var series = new Series();
    int workflows = total / STEPS;
    for (int round = 0; round < 3; round++) {
      int number = round;
      long begin = System.nanoTime();
      new Crowd(IN_FLIGHT).each(workflows, i -> inTurn(engine, "loop-" + number + "-" + i));
      series.add("activities/s", workflows * STEPS / ((System.nanoTime() - begin) / 1e9));
    }
    report.add(this, site, setting, series);
  }

  private static void inTurn(Engine engine, String id) {
    int sum = engine.start(QueuedWorkflows.InTurn.class, id, STEPS).result();
    if (sum != Workflows.sumBelow(STEPS)) throw new IllegalStateException(id + " gave " + sum);
  }

  private void alone(Engine engine, DurableTasks store, Site site, Report report) {
    var setting = String.format(Locale.ROOT, "%,d one at a time, idle before", lone);
    report.begin(this, site, setting);
    var fromDurable = new Latencies();
    var fromCall = new Latencies();
    store.watch(true);
    for (int i = 0; i < lone; i++) {
      var id = "lone-" + i;
      var times = engine.start(QueuedWorkflows.Lone.class, id, i).result();
      fromCall.add(TimeUnit.MICROSECONDS.toNanos(times.begun() - times.asked()));
      fromDurable.add(TimeUnit.MICROSECONDS.toNanos(times.begun() - store.since(id)));
      LockSupport.parkNanos(PAUSE);
    }
    store.watch(false);
    var series = new Series();
    series.add("hand-out p50 ms", fromDurable.percentile(50));
    series.add("hand-out p99 ms", fromDurable.percentile(99));
    series.add("asked p50 ms", fromCall.percentile(50));
    report.add(this, site, setting, series);
  }
}
