package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

/** What a process that was killed had acknowledged is there, and nothing is there by halves. */
class SqliteCrashTest {
  private static final int LIVES = 3;
  private static final int MAX_COMMITS = 500;

  @TempDir private Path folder;

  @RepeatedTest(2)
  void a_killed_process_loses_nothing_that_it_acknowledged() throws Exception {
    var file = folder.resolve("orders.db");
    var acknowledged = new HashMap<String, Integer>();

    for (int life = 0; life < LIVES; life++) {
      acknowledged.putAll(commitUntilKilled(file, "life-" + life));

      try (var store = SqliteStore.open(file, new Options(true, false))) {
        acknowledged.forEach((workflowId, length) -> assertStored(store, workflowId, length));
      }
    }
  }

  /** How much of each history was acknowledged. */
  private static Map<String, Integer> commitUntilKilled(Path file, String name) throws IOException {
    int commits = ThreadLocalRandom.current().nextInt(1, MAX_COMMITS);
    var process = ChildProcess.start(CommittingProcess.class, file.toString(), name);
    var lengths = new HashMap<String, Integer>();
    try (var lines = process.inputReader()) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var words = line.split(" ");
        lengths.put(words[0], Integer.valueOf(words[1]));
        // Not by the process itself, which would close its output before the end was read.
        if (--commits == 0) process.toHandle().destroyForcibly();
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(lengths).isNotEmpty();
    return lengths;
  }

  private static void assertStored(Store store, String workflowId, int length) {
    var run = store.find(workflowId).orElseThrow();
    var indexes = store.history(run.key(), 1, 1_000).stream().map(EventRow::index).toList();
    int stored = indexes.size();

    assertThat(stored).isGreaterThanOrEqualTo(length);
    assertThat(stored)
        .isIn(CommittingProcess.STARTED, CommittingProcess.SIGNALLED, CommittingProcess.CLOSED);
    assertThat(indexes).isEqualTo(IntStream.rangeClosed(1, stored).boxed().toList());
    assertThat(run.status().isClosed()).isEqualTo(stored == CommittingProcess.CLOSED);
    assertThat(store.inputs(run.key())).hasSize(stored == CommittingProcess.SIGNALLED ? 1 : 0);
  }
}
