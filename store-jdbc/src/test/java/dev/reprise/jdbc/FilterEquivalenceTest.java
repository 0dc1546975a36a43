package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Status;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.Grouping;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testkit.contract.FilteredRuns;
import dev.reprise.testkit.contract.FilteredRuns.Given;
import dev.reprise.testkit.contract.Rows;
import dev.reprise.testkit.contract.TestNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Any filter finds the same runs in every store. */
class FilterEquivalenceTest {
  private static final int TRIES = Integer.getInteger("reprise.property.tries", 1_000);
  private static final long FIRST_SEED = Long.getLong("reprise.property.seed", 1L);
  private static final int RUNS = 60;
  private static final int PAGE = 17;

  @TempDir private Path folder;

  @Test
  void random_filters_find_the_same_runs_in_memory_in_sqlite_and_in_postgresql() {
    try (var memory = new MemoryStore();
        var sqlite = SqliteStore.open(folder.resolve("orders.db"), new Options(true, false));
        var postgres = TestDatabase.create().open()) {
      for (var store : List.of(memory, sqlite, postgres)) fill(store);

      int found = 0;
      for (long seed = FIRST_SEED; seed < FIRST_SEED + TRIES; seed++) {
        var text = new RandomFilter(new Random(seed)).filter(3);
        var filter = Filter.parse(text, Rows.NOON);
        var expected = answer(memory, filter);
        assertThat(answer(sqlite, filter))
            .as("SQLite, seed %d: %s", seed, text)
            .isEqualTo(expected);
        assertThat(answer(postgres, filter))
            .as("PostgreSQL, seed %d: %s", seed, text)
            .isEqualTo(expected);
        assertThat(memory.count(new Filter.Not(filter))).isEqualTo(RUNS - expected.ids().size());
        if (!expected.ids().isEmpty() && expected.ids().size() < RUNS) found++;
      }
      assertThat(found).as("filters that tell runs apart").isGreaterThan(TRIES / 3);
    }
  }

  /** What a store says, in all the ways in which it can be asked. */
  private record Answer(List<String> ids, long count, Object byStatus, Object byWorkflow) {}

  private static Answer answer(Store store, Filter filter) {
    return new Answer(
        ids(store, filter),
        store.count(filter),
        store.countBy(filter, Grouping.STATUS),
        store.countBy(filter, Grouping.WORKFLOW));
  }

  private static List<String> ids(Store store, Filter filter) {
    var ids = new ArrayList<String>();
    long before = Long.MAX_VALUE;
    List<RunRow> page;
    do {
      page = store.list(filter, before, PAGE);
      page.forEach(row -> ids.add(row.workflowId()));
      if (!page.isEmpty()) before = page.getLast().key();
    } while (page.size() == PAGE);
    return ids;
  }

  /** The same runs in every store. */
  private static void fill(Store store) {
    var runs = new FilteredRuns(TestNode.join(store));
    var random = new RandomFilter(new Random(7));
    var statuses = new Random(8);
    for (int number = 0; number < RUNS; number++) {
      var given =
          new Given(
              number,
              random.workflow(),
              random.parent(),
              random.attributes(),
              Rows.bytes(random.input()));
      var status = Status.values()[statuses.nextInt(Status.CONTINUED.ordinal())];
      runs.bring(runs.start(given), status);
    }
  }
}
