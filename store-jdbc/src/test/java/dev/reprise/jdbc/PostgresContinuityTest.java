package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.testkit.contract.Rows;
import dev.reprise.testkit.contract.TestNode;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A database that has not got what was committed last. */
class PostgresContinuityTest {
  private final TestDatabase database = TestDatabase.create();
  private final Store store = database.open();

  @AfterEach
  void end() {
    store.close();
  }

  private void breakJournal() {
    database.query(
        """
        SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'reprise-journal'
        """);
  }

  @Test
  void a_node_that_has_lost_its_connection_and_nothing_else_goes_on() {
    var node = TestNode.join(store);
    long run = node.start("order-7");
    node.commitBriefly(append(run, 2, 2));

    breakJournal();

    var event = append(run, 3, 3);
    assertThatThrownBy(() -> node.commitBriefly(event)).isInstanceOf(StoreUnavailable.class);
    assertThat(node.commitBriefly(event)).containsExactly(Outcome.STORED);
  }

  @Test
  void a_node_whose_last_event_is_gone_writes_nothing_on_a_new_connection() throws SQLException {
    var node = TestNode.join(store);
    long run = node.start("order-7");
    node.commitBriefly(append(run, 2, 2));

    database.execute("DELETE FROM events WHERE idx = 2");

    assertNothingIsWritten(node, run);
  }

  @Test
  void a_node_whose_last_renewal_is_gone_writes_nothing_on_a_new_connection() throws SQLException {
    var node = TestNode.join(store);
    long run = node.start("order-7");
    node.commit(append(run, 2, 2));

    database.execute(
        "UPDATE nodes SET commit_seq = commit_seq - 1; DELETE FROM events WHERE idx = 2");

    assertNothingIsWritten(node, run);
  }

  /** The number of a lost node may be given again. */
  @Test
  void a_node_whose_number_another_one_has_writes_nothing() throws SQLException {
    var node = TestNode.join(store);
    long run = node.start("order-7");

    database.execute("UPDATE nodes SET node = gen_random_uuid()");

    assertNothingIsWritten(node, run);
  }

  private void assertNothingIsWritten(TestNode node, long run) {
    breakJournal();
    var event = append(run, 3, 3);
    assertThatThrownBy(() -> node.commitBriefly(event)).isInstanceOf(StoreUnavailable.class);
    assertThatThrownBy(() -> node.commitBriefly(event))
        .isInstanceOf(Fenced.class)
        .hasMessageContaining("the database has not got it");
    assertThat(node.history(run)).hasSize(1);
  }

  /** As in a service that hides its log from its users. */
  @Test
  void where_the_timeline_is_not_shown_the_last_batch_decides() throws SQLException {
    var role = "plain_" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
    database.execute(
        """
        REVOKE EXECUTE ON FUNCTION pg_current_wal_lsn() FROM PUBLIC;
        CREATE ROLE %1$s LOGIN;
        GRANT USAGE ON SCHEMA reprise TO %1$s;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA reprise TO %1$s
        """
            .formatted(role));
    var url = database.url().replaceFirst("user=[^&]*", "user=" + role);
    try (var limited = TestDatabase.open(url)) {
      var node = TestNode.join(limited);
      long run = node.start("order-7");
      node.commitBriefly(append(run, 2, 2));
      assertThat(node.claim(Rows.NOON)).isEmpty();

      database.execute("DELETE FROM events WHERE idx = 2");

      assertNothingIsWritten(node, run);
    } finally {
      database.execute("DROP OWNED BY %1$s; DROP ROLE %1$s".formatted(role));
    }
  }
}
