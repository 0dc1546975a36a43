package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.testkit.contract.TestNode;
import dev.reprise.testpostgres.PostgresServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/**
 * A role that may connect to the database and do nothing else. Any role can read in {@code
 * pg_locks} which advisory locks there are, and wait in line for them.
 */
class PostgresStrangerTest {
  private static final int OLD_PEN = 1383097710; // where schema version 6 had its locks

  private final TestDatabase database = TestDatabase.create();
  private final String role = "stranger_" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
  private final List<Connection> connections = new ArrayList<>();
  private final List<Thread> waiting = new ArrayList<>();
  private final PrintStream standardError = System.err;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  @BeforeEach
  void prepare() throws SQLException {
    database.execute("CREATE ROLE " + role + " LOGIN");
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void end() throws Exception {
    System.setErr(standardError);
    for (var connection : connections) connection.abort(Runnable::run);
    for (var thread : waiting) thread.join();
    database.execute("DROP ROLE " + role);
  }

  private Connection stranger() throws SQLException {
    var url = database.url().replaceFirst("user=[^&]*", "user=" + role);
    var connection = DriverManager.getConnection(url + "&ApplicationName=mischief");
    connections.add(connection);
    return connection;
  }

  /** Waits in line for a lock, and keeps it when it has it. */
  private void waitFor(String lock) throws SQLException {
    var connection = stranger();
    waiting.add(
        Thread.startVirtualThread(
            () -> {
              try (var statement = connection.createStatement()) {
                statement.execute("SELECT pg_advisory_lock(" + lock + ")");
              } catch (SQLException aborted) {
                Thread.currentThread().interrupt();
              }
            }));
  }

  private List<String> locks() {
    return database.query(
        """
        SELECT classid::bigint || ', ' || objid::bigint FROM pg_locks
         WHERE locktype = 'advisory' AND granted AND objsubid = 2
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """);
  }

  private void waitForAllLocks() throws SQLException {
    var locks = new HashSet<>(locks());
    for (var id : database.query("SELECT lock_id FROM nodes")) locks.add(OLD_PEN + ", " + id);
    for (var lock : locks) waitFor(lock);
    TestDatabase.await("it has or waits for each", () -> has("true", locks.size()));
  }

  private boolean has(String condition, int locks) {
    var count =
        "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
            + " WHERE locktype = 'advisory' AND application_name = 'mischief' AND "
            + condition
            + " AND datname = current_database()";
    return database.query(count).equals(List.of(Integer.toString(locks)));
  }

  private void breakConnections() {
    database.query(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name LIKE 'reprise-%'
        """);
  }

  @Test
  void it_cannot_keep_a_node_from_writing_and_showing_itself() throws Exception {
    try (var store = database.open()) {
      var node = TestNode.join(store);
      long run = node.start("order-7");
      waitForAllLocks();

      breakConnections();

      var event = append(run, 2, 2);
      assertThatThrownBy(() -> node.commitBriefly(event)).isInstanceOf(StoreUnavailable.class);
      assertThat(node.commitBriefly(event)).containsExactly(Outcome.STORED);
      TestDatabase.await("it shows itself", () -> store.absences() > 0 && store.isPresent());
      assertThat(store.nodes().getFirst().isPresent()).isTrue();
      assertThat(node.commitBriefly(append(run, 3, 3))).containsExactly(Outcome.STORED);
    }
  }

  /** The row may name the new lock or the old one then, and the node must be seen by it. */
  @Test
  void a_node_that_had_to_move_is_seen_although_the_answer_to_its_move_was_lost() throws Exception {
    var server = PostgresServer.shared();
    var address = server.host() + ":" + server.port();
    try (var proxy = new SilentProxy(server.host(), server.port());
        var store =
            TestDatabase.open(database.url().replace(address, "127.0.0.1:" + proxy.port()));
        var others = database.open()) {
      TestNode.join(store).start("order-7");
      waitForAllLocks();
      proxy.swallowAnswerTo("SET lock_id = $1");
      breakConnections();
      TestDatabase.await("its moves are lost", () -> store.absences() > 2);

      proxy.swallowAnswerTo(null);
      for (var stranger : connections) stranger.abort(Runnable::run);

      TestDatabase.await("it shows itself", store::isPresent);
      assertThat(others.nodes().getFirst().isPresent()).isTrue();
    }
  }

  @Test
  void it_cannot_keep_others_from_fencing_a_node() throws Exception {
    try (var store = database.open();
        var others = database.open()) {
      var node = TestNode.join(store);
      long run = node.start("order-7");
      waitForAllLocks();

      assertThat(others.fence(others.nodes().getFirst())).isTrue();

      var event = append(run, 2, 2);
      assertThatThrownBy(() -> node.commitBriefly(event)).isInstanceOf(StoreUnavailable.class);
      assertThatThrownBy(() -> node.commitBriefly(event)).isInstanceOf(Fenced.class);
    }
  }

  @Test
  void it_cannot_make_a_dead_node_look_alive() throws Exception {
    Store store = database.open();
    TestNode.join(store).start("order-7");
    waitForAllLocks();

    store.close();

    try (var others = database.open()) {
      TestDatabase.await("it has the lock of the node", () -> has("NOT granted", 0));
      assertThat(others.nodes().getFirst().isPresent()).isFalse();
    }
  }

  /** As after a restart in a container, where process ids are small and come again. */
  @Test
  void a_connection_that_got_the_process_id_of_the_writer_is_left_alone() throws Exception {
    var engine = "engine_" + role;
    database.execute(
        "CREATE ROLE %1$s LOGIN; CREATE SCHEMA reprise AUTHORIZATION %1$s".formatted(engine));
    var url = database.url().replaceFirst("user=[^&]*", "user=" + engine);
    try (var store = TestDatabase.open(url);
        var others = TestDatabase.open(url)) {
      var node = TestNode.join(store);
      long run = node.start("order-7");
      var application = stranger();
      int pid = application.unwrap(PGConnection.class).getBackendPID();

      breakConnections();
      database.execute("UPDATE nodes SET writer_pid = " + pid);

      var event = append(run, 2, 2);
      assertThatThrownBy(() -> node.commitBriefly(event)).isInstanceOf(StoreUnavailable.class);
      assertThat(node.commitBriefly(event)).containsExactly(Outcome.STORED);
      database.execute("UPDATE nodes SET writer_pid = " + pid);
      assertThat(others.fence(others.nodes().getFirst())).isTrue();
      assertThat(application.isValid(5)).isTrue();
    } finally {
      database.execute("DROP OWNED BY " + engine + " CASCADE; DROP ROLE " + engine);
    }
  }

  @Test
  void the_log_says_who_has_the_lock_of_a_node() throws Exception {
    try (var store = database.open()) {
      TestNode.join(store).start("order-7");
      waitForAllLocks();

      breakConnections();

      TestDatabase.await("it shows itself", () -> store.absences() > 0 && store.isPresent());
      var pids = database.query("SELECT pid FROM pg_stat_activity WHERE usename = '" + role + "'");
      assertThat(log.toString(StandardCharsets.UTF_8))
          .containsPattern("process id (" + String.join("|", pids) + "), user " + role)
          .contains("application 'mischief'");
    }
  }

  @Test
  void it_cannot_keep_an_engine_from_creating_its_tables() throws Exception {
    try (var statement = stranger().createStatement()) {
      statement.execute("SELECT pg_advisory_lock(7016710934185123421)");

      try (var store = database.open()) {
        TestNode.join(store).start("order-7");
      }
    }
    assertThat(log.toString(StandardCharsets.UTF_8)).contains("user " + role);
  }
}
