package dev.reprise.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.verification.chaos.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine on an SQLite file, killed again and again in the middle of its work. */
class KilledProcessTest {
  private static final int KILLS = 12;
  private static final int WORKFLOWS = 1_500;
  private static final int MIN_WORK = 2_000; // bytes of ledger that a life writes before its end
  private static final int MAX_WORK = 22_000; // all lives together write about 300,000
  private static final String STRAIGHT_RESULT =
      (0 + 1 + 2 + 3 + 100 + 101 + 102 + 200) + " [0, 1, 2]";

  @TempDir Path folder;

  @Test
  void nothing_acknowledged_is_lost_and_nothing_recorded_runs_again() throws Exception {
    long seed = System.nanoTime();
    var random = new Random(seed);
    int kills = 0;
    while (kills < KILLS) {
      var victim = start(random.nextLong());
      awaitWork(victim, MIN_WORK + random.nextInt(MAX_WORK - MIN_WORK));
      assertThat(victim.isAlive()).as("is killed at work").isTrue();
      victim.destroyForcibly().waitFor();
      kills++;
    }
    var last = start(random.nextLong());
    assertThat(last.waitFor(2, TimeUnit.MINUTES)).as("finishes in the end").isTrue();
    assertThat(last.exitValue()).isZero();

    var ledger = Ledger.read(ledgerFile());
    var found = check(ledger);
    System.out.printf(
        "kill -9: seed %d, %d kills, %d starts and %d signals acknowledged, %d activities begun,"
            + " %s%n",
        seed, kills, found.starts, found.signals, found.steps, "lost 0, repeated 0");
  }

  private Process start(long seed) throws IOException {
    var java = ProcessHandle.current().info().command().orElse("java");
    return new ProcessBuilder(
            java,
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx512m",
            "-cp",
            System.getProperty("java.class.path"),
            Victim.class.getName(),
            folder.resolve("orders.db").toString(),
            ledgerFile().toString(),
            Integer.toString(WORKFLOWS),
            Long.toString(seed))
        .inheritIO()
        .start();
  }

  private Path ledgerFile() {
    return folder.resolve("ledger.txt");
  }

  /** Waits until the process has done so much work. */
  private void awaitWork(Process victim, int bytes) throws IOException {
    long enough = written() + bytes;
    while (victim.isAlive() && written() < enough) Thread.onSpinWait();
  }

  private long written() throws IOException {
    return Files.exists(ledgerFile()) ? Files.size(ledgerFile()) : 0;
  }

  private record Found(int starts, int signals, int steps) {}

  private Found check(List<String> ledger) {
    var starts = new HashSet<String>();
    var signals = new HashMap<String, List<Integer>>();
    int steps = 0;
    for (var line : ledger) {
      var words = line.split(" ");
      switch (words[0]) {
        case "started" -> starts.add(words[1]);
        case "signalled" ->
            signals
                .computeIfAbsent(words[1], _ -> new ArrayList<>())
                .add(Integer.parseInt(words[2]));
        case "step" -> steps++;
        default -> {}
      }
    }
    checkRepeats(ledger);
    checkHistories(starts, signals);
    int count = signals.values().stream().mapToInt(List::size).sum();
    return new Found(starts.size(), count, steps);
  }

  /** A step begins when the one before it is durable: from then on that one never runs again. */
  private static void checkRepeats(List<String> ledger) {
    Map<String, Integer> reached = new HashMap<>();
    for (var line : ledger) {
      if (!line.startsWith("step ")) continue;
      var words = line.split(" ");
      int stage = stage(Integer.parseInt(words[2]));
      int before = reached.merge(words[1], stage, Math::max);
      assertThat(stage).as("%s ran again", line).isGreaterThanOrEqualTo(before);
    }
  }

  private static int stage(int step) {
    return step < Victim.STEPS ? step : step / 100 * 100;
  }

  private void checkHistories(HashSet<String> starts, Map<String, List<Integer>> signals) {
    var url = "jdbc:sqlite:" + folder.resolve("orders.db");
    try (var store = Reprise.open(url, new StoreProvider.Options(false, true))) {
      assertThat(store.find("w0")).isNotEmpty();
      for (int i = 0; i < WORKFLOWS; i++) starts.add("w" + i);
      for (var id : starts) {
        var run = store.find(id).orElseThrow(() -> new AssertionError("lost start " + id));
        var history = HistoryView.of(store, run.key());
        var received =
            history.stream()
                .filter(event -> event.type().equals("SignalReceived"))
                .map(event -> Integer.valueOf(event.value()))
                .toList();
        assertThat(received).as("signals of %s", id).containsExactly(0, 1, 2);
        assertThat(received).containsAll(signals.getOrDefault(id, List.of()));
        assertThat(history).extracting("index").doesNotHaveDuplicates();
        assertThat(history.getLast().index()).isEqualTo(history.size());
        assertThat(history.getLast().value()).isEqualTo('"' + STRAIGHT_RESULT + '"');
      }
      assertThat(Doctor.examine(store)).isEmpty();
    }
  }
}
