package dev.reprise.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Client;
import dev.reprise.engine.Reprise;
import dev.reprise.verification.chaos.Processes.Child;
import dev.reprise.verification.chaos.Scene;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two engines are restarted one after the other, and nobody who calls them notices. */
class RollingRestartTest {
  private static final Duration BOUND = Duration.ofSeconds(2);
  private static final int SLACK = 3; // a loaded machine is not a slow engine
  private static final int CALLERS = 8;
  private static final int ROUNDS = 2;
  private static final int BETWEEN = 100; // results, so that each engine works for a while

  @TempDir Path folder;
  private final Queue<Duration> times = new ConcurrentLinkedQueue<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger ids = new AtomicInteger();
  private volatile boolean stopping;

  @Test
  void no_call_fails_and_none_takes_long() throws InterruptedException {
    try (var scene = new Scene(folder);
        var client = Reprise.open(scene.url()).client()) {
      var engines = new ArrayList<>(List.of(engine(scene), engine(scene)));
      var callers = new ArrayList<Thread>();
      for (int i = 0; i < CALLERS; i++) {
        callers.add(Thread.startVirtualThread(() -> call(client)));
      }
      for (int restart = 0; restart < ROUNDS * engines.size(); restart++) {
        int place = restart % engines.size();
        awaitResults();
        engines.get(place).stop();
        engines.set(place, engine(scene));
      }
      awaitResults();
      stopping = true;
      for (var caller : callers) caller.join();

      report();
      assertThat(scene.openRuns()).isZero();
      scene.examine();
    }
  }

  private static Child engine(Scene scene) {
    return scene.engine(
        ChildEngine.class,
        scene.url(),
        scene.ledger().toString(),
        Duration.ofSeconds(10).toString(),
        scene.ledger().resolveSibling("door").toString());
  }

  private void awaitResults() {
    int enough = times.size() + BETWEEN;
    Scene.await("results", () -> times.size() >= enough || !failures.isEmpty());
  }

  private void call(Client client) {
    while (!stopping) {
      int number = ids.getAndIncrement();
      var from = System.nanoTime();
      try {
        int result = client.start(ChildEngine.Brief.class, "brief-" + number, number).result();
        if (result != number + 3) failures.add(number + " gave " + result);
      } catch (RuntimeException e) {
        failures.add(number + ": " + e);
      }
      times.add(Duration.ofNanos(System.nanoTime() - from));
    }
  }

  private void report() {
    var sorted = times.stream().sorted().toList();
    var p99 = sorted.get(sorted.size() * 99 / 100);
    System.out.printf(
        "rolling restart: %d calls, %d failed, start to result p50 %d ms, p99 %d ms, max %d ms, the"
            + " bound of p99 is %d ms%n",
        sorted.size(),
        failures.size(),
        sorted.get(sorted.size() / 2).toMillis(),
        p99.toMillis(),
        sorted.getLast().toMillis(),
        BOUND.toMillis());
    assertThat(failures).isEmpty();
    assertThat(p99).isLessThan(BOUND.multipliedBy(SLACK));
  }
}
