package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.completed;
import static dev.reprise.testkit.contract.Rows.consume;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.Rows;
import dev.reprise.testkit.contract.TestNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A batch is one transaction of PostgreSQL, whatever is in it. */
class PostgresTransactionTest {
  private static final int TIMES = 8; // the driver changes its ways after the fifth time

  private final TestDatabase database = TestDatabase.create();

  @Test
  void a_batch_with_everything_in_it_is_one_transaction() {
    try (var store = database.open()) {
      for (int i = 0; i < TIMES; i++) assertOneTransaction(store, "own-" + i);
    }
  }

  @Test
  void it_is_one_transaction_on_a_connection_of_a_pool() {
    var config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setMaximumPoolSize(2);
    try (var pool = new HikariDataSource(config);
        var store = Reprise.open(pool, TestDatabase.ENGINE)) {
      for (int i = 0; i < TIMES; i++) assertOneTransaction(store, "pool-" + i);
    }
  }

  private void assertOneTransaction(Store store, String name) {
    var node = TestNode.join(store);
    var started = node.run(name + "-started");
    long accepting = node.start(name + "-accepting");
    long consuming = node.start(name + "-consuming");
    long waking = node.start(name + "-waking");
    long released = node.start(name + "-released");
    long blocked = node.start(name + "-blocked");
    long closing = node.start(name + "-closing");
    long large = node.start(name + "-large");
    node.store(signal(consuming, "1"), signal(closing, "2"));

    node.store(
        new Start(started, event(1)),
        signal(accepting, "3"),
        consume(consuming, 2, ids(store, consuming), new RunChange.None()),
        append(waking, 2, 2, new RunChange.WakeAt(Rows.NOON)),
        append(released, 2, 2, new RunChange.Release(Rows.NOON)),
        append(blocked, 2, 2, new RunChange.Block("R101")),
        consume(closing, 2, ids(store, closing), completed()),
        large(large));

    assertThat(
            transactions(
                started.key(), accepting, consuming, waking, released, blocked, closing, large))
        .hasSize(1);
  }

  private static List<Long> ids(Store store, long run) {
    return store.inputs(run).stream().map(InputRow::id).toList();
  }

  /** More than the driver has room for in its buffers. */
  private static Append large(long run) {
    var value = new byte[300_000];
    var event = new EventRow(2, Rows.NOON, 2, null, Rows.bytes("{}"), value);
    return new Append(run, List.of(event), List.of(), new RunChange.None());
  }

  /** Which transactions have written the last state of what the batch has changed. */
  private List<String> transactions(Long... runs) {
    var keys = List.of(runs).toString().replace('[', '(').replace(']', ')');
    return database.query(
        """
        SELECT xmin FROM events WHERE run_key IN %1$s AND (idx = 2 OR run_key = %2$d)
        UNION SELECT xmin FROM inbox WHERE run_key IN %1$s
        UNION SELECT xmin FROM nodes WHERE node_key = (SELECT max(node_key) FROM nodes)
        UNION SELECT xmin FROM workflows WHERE run_key = %2$d OR (run_key IN %1$s AND NOT open)
        UNION SELECT xmin FROM runs
               WHERE run_key IN %1$s AND (owner = 0 OR run_key = %2$d)
        """
            .formatted(keys, runs[0]));
  }

  @Test
  void the_row_of_a_workflow_that_closes_stays_on_its_page() {
    try (var store = database.open()) {
      var node = TestNode.join(store);
      var runs = IntStream.range(0, 400).mapToObj(i -> node.start("order-" + i)).toList();
      var before = pages();

      node.store(runs.stream().map(run -> close(run, 2)).toArray(Append[]::new));

      assertThat(pages()).isEqualTo(before);
      assertThat(database.query("SELECT count(*) FROM workflows WHERE open")).containsExactly("0");
    }
  }

  /** Of the rows of workflows. */
  private List<String> pages() {
    return database.query(
        "SELECT workflow_id || ' ' || (ctid::text::point)[0] FROM workflows ORDER BY run_key");
  }

  @Test
  void steps_that_depend_on_each_other_are_one_transaction_too() {
    try (var store = database.open()) {
      var node = TestNode.join(store);
      var run = node.run("order-7");

      node.store(new Start(run, event(1)), append(run.key(), 2, 3), close(run.key(), 4));

      assertThat(
              database.query(
                  "SELECT xmin FROM events UNION SELECT xmin FROM runs"
                      + " UNION SELECT xmin FROM nodes UNION SELECT xmin FROM workflows"))
          .hasSize(1);
    }
  }
}
