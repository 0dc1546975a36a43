package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Claim;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.Store.Trial;
import dev.reprise.engine.store.StoreProvider.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random batches have the same outcomes, and leave the same rows, as in the store in memory. */
class SameAsMemoryTest {
  private static final int BATCHES = 120;
  private static final Instant LATER = Instant.parse("2030-01-01T00:00:00Z");

  private final UUID node = UUID.randomUUID();
  private final Store model = new MemoryStore();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void sqlite_does_what_memory_does(long seed, @TempDir Path folder) {
    try (var store = SqliteStore.open(folder.resolve("orders.db"), new Options(true, false))) {
      play(store, seed);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void postgres_does_what_memory_does(long seed) {
    try (var store = TestDatabase.create().open()) {
      play(store, seed);
    }
  }

  private void play(Store store, long seed) {
    for (var each : List.of(model, store)) {
      each.join(new Joining(node, "host", false, Duration.ofMinutes(1)));
    }
    var random = new RandomBatches(seed, node, model);
    int sequence = 0;
    for (int i = 0; i < BATCHES; i++) {
      var batch = random.next();
      var expected = commit(model, sequence + 1, batch);
      assertThat(commit(store, sequence + 1, batch))
          .as("seed %d, %s", seed, batch)
          .isEqualTo(expected);
      if (!expected.equals("refused")) sequence++;
      if (i % 2 == 0) assertThat(claim(store)).isEqualTo(claim(model));
      if (i % 3 == 0) assertThat(delete(store)).isEqualTo(delete(model));
      random.runs().forEach(run -> compare(store, run));
      RandomBatches.IDS.forEach(id -> compare(store, id));
      assertThat(store.inconsistencies(10)).isEmpty();
    }
  }

  private String commit(Store store, long sequence, RandomBatches.Sketch batch) {
    try {
      return store.commit(new Batch(node, sequence, batch.transitions(store))).toString();
    } catch (TransitionRefused refused) {
      return "refused";
    }
  }

  private List<Long> claim(Store store) {
    return store.claim(new Claim(node, List.of("Checkout"), LATER, Trial.NONE, 100)).stream()
        .map(RunRow::key)
        .sorted()
        .toList();
  }

  private static int delete(Store store) {
    return store.deleteClosed(LATER, 4);
  }

  private void compare(Store store, long run) {
    assertThat(messages(store, run)).isEqualTo(messages(model, run));
    assertThat(indexes(store, run)).isEqualTo(indexes(model, run));
  }

  private static List<String> messages(Store store, long run) {
    return store.inputs(run).stream().map(InputRow::message).sorted().toList();
  }

  private static List<Integer> indexes(Store store, long run) {
    return store.history(run, 1, 1_000).stream().map(EventRow::index).toList();
  }

  private void compare(Store store, String workflowId) {
    assertThat(store.find(workflowId)).isEqualTo(model.find(workflowId));
    assertThat(store.runsOf(workflowId)).isEqualTo(model.runsOf(workflowId));
  }
}
