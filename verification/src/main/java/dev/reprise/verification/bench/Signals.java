package dev.reprise.verification.bench;

import dev.reprise.Handle;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
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
    var arrived = new AtomicInteger();
    try (var bed = site.open(new Workflows.Waiting(arrived))) {
      for (int round = 0; round < warmUps; round++) {
        measure(bed, "warm-up-" + round, arrived, new Series());
      }
      var series = new Series();
      for (int round = 0; round < rounds; round++) {
        measure(bed, "round-" + round, arrived, series);
      }
      report.add(this, site, setting, series);
    }
    report.note(this, "from the first signal until all results are seen; goal 0.3 s or less");
  }

  private void measure(TestBed bed, String name, AtomicInteger arrived, Series series)
      throws ExecutionException, InterruptedException {
    var engine = bed.engine();
    arrived.set(0);
    var started = new ConcurrentHashMap<Integer, Handle<Integer>>();
    STARTERS.each(
        count, n -> started.put(n, engine.start(Workflows.Waiting.class, name + "-" + n, n)));
    while (arrived.get() < count) Thread.sleep(POLL_MILLIS);
    STARTERS.each(count, n -> engine.describe(name + "-" + n)); // answers when it waits
    var handles = IntStream.range(0, count).mapToObj(started::get).toList();

    long begin = System.nanoTime();
    new Crowd(senders).each(count, n -> handles.get(n).signal(Workflows.Waiting.NUMBER, n));
    long sent = System.nanoTime();
    for (int n = 0; n < count; n++) check(handles.get(n), n);
    long completed = System.nanoTime();
    series.add("seconds", (completed - begin) / 1e9);
    series.add("seconds to send", (sent - begin) / 1e9);
  }

  private static void check(Handle<Integer> handle, int expected) {
    int result = handle.result();
    if (result == expected) return;
    throw new IllegalStateException(
        "%s gave %d instead of %d".formatted(handle.workflowId(), result, expected));
  }
}
