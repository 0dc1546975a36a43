package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.WorkflowBlocked;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One bit of a file flips, anywhere. */
class SqliteFlippedBitsTest {
  private static final Signal<String> GO = Signal.of("go", String.class);
  private static final Duration SHORT = Duration.ofMillis(300); // a lost run is no wrong result
  private static final int RUNS = 12;
  private static final int EXAMINED = 300;
  private static final int CONTINUED = 40;

  @TempDir private static Path folder;
  private static byte[] sound;
  private static List<String> histories;

  private record Thing(String name, int number) {}

  @BeforeAll
  static void work() throws IOException {
    var file = folder.resolve("sound.db");
    try (var engine = engine(file)) {
      for (int i = 0; i < RUNS; i++) engine.start("Keep", "k-" + i, "in" + i);
      for (int i = 0; i < RUNS; i++) {
        var id = "k-" + i;
        TestDatabase.await("it waits", () -> engine.history(id).size() == 5);
      }
    }
    sound = Files.readAllBytes(file);
    try (var store = Reprise.open("jdbc:sqlite:" + file, new Options(false, true))) {
      histories = histories(store);
    }
  }

  private static Engine engine(Path file) {
    return Reprise.open("jdbc:sqlite:" + file)
        .workflow("Keep", String.class, String.class, SqliteFlippedBitsTest::keep)
        .start();
  }

  private static String keep(Context ctx, String in) {
    var name = ctx.run("alpha", String.class, () -> "value-of-" + in);
    var thing = ctx.run("beta", Thing.class, () -> new Thing("thing", 1_234_567));
    ctx.sleep(Duration.ofMillis(1));
    return name + " " + thing.number() + " " + ctx.receive(GO);
  }

  /** A byte that is used: most of a small file is empty. */
  private static Path flipped(Random random, String name) throws IOException {
    var bytes = sound.clone();
    int at;
    do {
      at = random.nextInt(bytes.length);
    } while (bytes[at] == 0);
    bytes[at] ^= (byte) (1 << random.nextInt(8));
    return Files.write(folder.resolve(name), bytes);
  }

  @Test
  void doctor_never_dies_of_what_it_examines_and_overlooks_no_changed_event() throws IOException {
    var random = new Random(5);
    var results = new TreeMap<String, Integer>();

    for (int i = 0; i < EXAMINED; i++) {
      var file = flipped(random, "doctor.db");
      results.merge(examined(file), 1, Integer::sum);
    }

    assertThat(results).containsKeys("found", "nothing", "refused R115");
  }

  /** Any exception without a code fails the test. */
  private static String examined(Path file) {
    try (var store = Reprise.open("jdbc:sqlite:" + file, new Options(false, true))) {
      if (!Doctor.examine(store).isEmpty()) return "found";
      assertThat(histories(store)).as("nothing was found").isEqualTo(histories);
      return "nothing";
    } catch (RepriseException coded) {
      return "refused " + coded.code();
    }
  }

  /** All that a replay would read. */
  private static List<String> histories(Store store) {
    var events = new ArrayList<String>();
    for (int i = 0; i < RUNS; i++) {
      var run = store.find("k-" + i).orElseThrow();
      for (var event : store.history(run.key(), 1, 100)) events.add(event.recorded().toString());
    }
    return events;
  }

  @Test
  void no_run_completes_with_a_wrong_value() throws IOException {
    var random = new Random(7);

    for (int i = 0; i < CONTINUED; i++) {
      var file = flipped(random, "engine-%d.db".formatted(i));
      try (var engine = engine(file)) {
        for (int run = 0; run < RUNS; run++) signalled(engine, run);
        for (int run = 0; run < RUNS; run++) assertRightOrNone(engine, run);
      } catch (RepriseException refused) {
        assertThat(refused.code()).isNotNull();
      }
    }
  }

  private static void signalled(Engine engine, int run) {
    try {
      engine.signal("k-" + run, GO, "go");
    } catch (RepriseException refused) {
      assertThat(refused.code()).isNotNull();
    }
  }

  private static void assertRightOrNone(Engine engine, int run) {
    try {
      var result = engine.handle("k-" + run, String.class).result(SHORT);
      assertThat(result).isEqualTo("value-of-in%d 1234567 go".formatted(run));
    } catch (TimeoutException | RepriseException | WorkflowBlocked none) {
      assertThat(none).isNotNull();
    }
  }
}
