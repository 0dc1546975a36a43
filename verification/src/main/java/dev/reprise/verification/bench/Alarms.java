package dev.reprise.verification.bench;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/** When workflows asked to sleep, and when they went on. Safe for use by many threads. */
final class Alarms {
  // Two clocks are compared, and that of a database is known only as well as its answers are quick.
  private static final long EARLY = TimeUnit.MILLISECONDS.toNanos(-5);

  private final ConcurrentMap<String, Long> asked = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Long> woken = new ConcurrentHashMap<>();

  /** The code is about to sleep. If it is replayed, the first time counts. */
  void ask(String workflowId) {
    asked.putIfAbsent(workflowId, System.nanoTime());
  }

  /** The code went on. */
  void wake(String workflowId) {
    woken.putIfAbsent(workflowId, System.nanoTime());
  }

  int woken() {
    return woken.size();
  }

  /** How much later than asked for the code went on; for after the last has. */
  Latencies lateness(Duration sleep) {
    var all = new Latencies();
    asked.forEach(
        (id, begin) -> {
          var end = woken.get(id);
          if (end == null) throw new IllegalStateException(id + " did not wake up");
          long late = end - begin - sleep.toNanos();
          if (late < EARLY) throw new IllegalStateException(id + " woke up too early");
          all.add(late);
        });
    return all;
  }
}
