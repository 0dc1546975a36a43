package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.TaskSpec.QUEUE;
import static dev.reprise.testkit.contract.TaskSpec.activity;
import static dev.reprise.testkit.contract.TasksUnderTest.scheduling;
import static dev.reprise.testkit.contract.TasksUnderTest.taking;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.QueueLimits;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testkit.contract.TaskSpec;
import dev.reprise.testkit.contract.TestNode;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of a rate when the clock that it goes by is set back. */
class RateClockTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static void limited(Store store, QueueLimits limits) {
    var node = TestNode.join(store);
    long run = node.start("rated");
    var specs =
        IntStream.range(2, 12)
            .mapToObj(i -> activity(i).visibleAt(NOON.minus(HOUR.multipliedBy(2))))
            .toArray(TaskSpec[]::new);
    node.store(scheduling(run, specs));
    store.tasks().limit(QUEUE, limits);
  }

  private static int take(Store store, Instant now) {
    return store.tasks().take(taking(QUEUE, 10, now)).size();
  }

  @Test
  void an_engine_whose_machine_was_set_back_before_it_started_again_goes_on_with_a_queue(
      @TempDir Path folder) {
    var file = folder.resolve("orders.db");
    try (var store = SqliteStore.open(file, new Options(true, false))) {
      limited(store, QueueLimits.none().rate(2, Duration.ofSeconds(10)));
      assertThat(take(store, NOON)).isEqualTo(2);
    }
    var back = NOON.minus(HOUR);
    try (var store = SqliteStore.open(file, new Options(true, false))) {
      assertThat(take(store, back)).isZero();
      assertThat(take(store, back.plusSeconds(4))).isZero();
      assertThat(take(store, back.plusSeconds(5))).isEqualTo(1);
      assertThat(take(store, back.plusSeconds(9))).isZero();
      assertThat(take(store, back.plusSeconds(10))).isEqualTo(1);
    }
  }

  @Test
  void a_database_whose_clock_was_set_back_goes_on_with_a_queue() throws SQLException {
    var database = TestDatabase.create();
    try (var store = database.open()) {
      limited(store, QueueLimits.none().rate(1, Duration.ofMillis(100)));
      assertThat(take(store, NOON)).isEqualTo(1);
      database.execute(
          """
          UPDATE queues
             SET flow = json_build_object(
                          'tokens', 0.0,
                          'at', to_char(
                            (clock_timestamp() + interval '1 hour') AT TIME ZONE 'UTC',
                            'YYYY-MM-DD"T"HH24:MI:SS"Z"'))::text
          """);

      TestDatabase.await("the next one", () -> take(store, NOON) == 1);
    }
  }

  /** Time that a worker waits for another one's transaction is not lost for the rate. */
  @Test
  void the_time_is_that_at_which_the_queue_was_locked() throws Exception {
    var database = TestDatabase.create();
    try (var store = database.open();
        var other = database.connect()) {
      limited(store, QueueLimits.none().rate(1, HOUR));
      other.setAutoCommit(false);
      try (var statement = other.createStatement()) {
        statement.execute("SELECT 1 FROM queues FOR UPDATE");
      }
      var taking = Thread.ofPlatform().start(() -> take(store, NOON));
      TestDatabase.await("a worker that waits", () -> isWaiting(database));
      var waited =
          database
              .query(
                  "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC',"
                      + " 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
              .getFirst();
      other.commit();
      taking.join();

      var at = database.query("SELECT flow::json ->> 'at' FROM queues").getFirst();
      assertThat(Instant.parse(at)).isAfterOrEqualTo(Instant.parse(waited));
    }
  }

  private static boolean isWaiting(TestDatabase database) {
    return !database
        .query("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        .isEmpty();
  }
}
