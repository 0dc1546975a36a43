package dev.reprise.verification.bench;

import dev.reprise.verification.bench.Subject.Run;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

/**
 * W5: many workflows that wait for a signal, and how long it takes from the first signal until all
 * have completed.
 *
 * @param count how many workflows
 * @param senders how many clients send the signals
 * @param warmUps rounds before the first that counts
 * @param rounds rounds that count, each with new workflows
 */
record Signals(int count, int senders, int warmUps, int rounds) implements Workload {
  static final String ID = "W5";
  private static final Crowd STARTERS = new Crowd(64);
  private static final long POLL_MILLIS = 1;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public void measure(Site site, Report report)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    var setting = String.format(Locale.ROOT, "%,d signals by %d clients", count, senders);
    report.begin(this, site, setting);
    try (var bed = site.open()) {
      for (int round = 0; round < warmUps; round++) {
        measure(bed, "warm-up-" + round, new Series());
      }
      var series = new Series();
      for (int round = 0; round < rounds; round++) {
        measure(bed, "round-" + round, series);
      }
      report.add(this, site, setting, series);
    }
    report.note(this, "from the first signal until all results are seen; goal 0.1 s or less");
  }

  private void measure(TestBed bed, String name, Series series)
      throws ExecutionException, InterruptedException {
    var engine = bed.subject();
    var arrived = bed.probes().arrived();
    arrived.set(0);
    var started = new ConcurrentHashMap<Integer, Run>();
    STARTERS.each(count, n -> started.put(n, engine.start(Job.WAITING, name + "-" + n, n)));
    while (arrived.get() < count) Thread.sleep(POLL_MILLIS);
    STARTERS.each(count, n -> engine.awaitWait(name + "-" + n));
    var runs = IntStream.range(0, count).mapToObj(started::get).toList();

    long begin = System.nanoTime();
    new Crowd(senders).each(count, n -> engine.signal(name + "-" + n, n));
    long sent = System.nanoTime();
    for (int n = 0; n < count; n++) check(name + "-" + n, runs.get(n), n);
    long completed = System.nanoTime();
    series.add("seconds", (completed - begin) / 1e9);
    series.add("seconds to send", (sent - begin) / 1e9);
  }

  private static void check(String id, Run run, int expected) {
    int result = run.result();
    if (result == expected) return;
    throw new IllegalStateException("%s gave %d instead of %d".formatted(id, result, expected));
  }
}
