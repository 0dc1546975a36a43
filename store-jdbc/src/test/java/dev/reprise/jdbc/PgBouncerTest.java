package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.TestNode;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Behind a pooler: session mode works, and modes in which clients share a backend are refused. */
class PgBouncerTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final TestDatabase database = TestDatabase.create();
  @TempDir private Path folder;
  private PgBouncer pooler;

  @BeforeEach
  void find() {
    var found = PgBouncer.before(database, folder);
    assumeTrue(found.isPresent(), "pgbouncer is not installed");
    pooler = found.get();
  }

  @AfterEach
  void stop() {
    if (pooler != null) pooler.close();
  }

  private static Engine engine(Reprise reprise) {
    return reprise.workflow("echo", String.class, String.class, (_, in) -> in).start();
  }

  private HikariDataSource pool() {
    var config = new HikariConfig();
    config.setJdbcUrl(pooler.url());
    config.setMaximumPoolSize(4);
    return new HikariDataSource(config);
  }

  private static void assertShared(ThrowingCallable opening) {
    assertThatThrownBy(opening)
        .isInstanceOfSatisfying(
            RepriseException.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(ErrorCode.R140);
              assertThat(refused.isRetryable()).isFalse();
            })
        .hasMessageContaining("pool_mode = session");
  }

  // ---- session mode ---------------------------------------------------------------------------

  @Test
  void in_session_mode_with_its_default_configuration_an_engine_works() throws Exception {
    pooler.start("session");

    try (var engine = engine(Reprise.open(pooler.url()));
        var client = Reprise.open(pooler.url()).client()) {
      for (int i = 0; i < 20; i++) {
        assertThat(client.start("echo", "order-" + i, "hello").result(LIMIT)).isEqualTo("hello");
      }
      assertThat(engine.nodes()).hasSize(2);
    }
    try (var store = new PostgresProvider().open(database.url(), TestDatabase.ENGINE).get()) {
      assertThat(Doctor.examine(store)).isEmpty();
    }
  }

  @Test
  void in_session_mode_a_pool_of_connections_works() throws Exception {
    pooler.start("session");

    try (var pool = pool();
        var engine = engine(Reprise.open(pool))) {
      assertThat(engine.start("echo", "order-7", "hello").result(LIMIT)).isEqualTo("hello");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ignore_startup_parameters = options"})
  void in_session_mode_the_settings_are_the_engines(String more) {
    pooler.start("session", more);

    try (var session = OwnConnections.to(pooler.url(), true).open("reprise-reader")) {
      assertThat(show(session, "statement_timeout")).isEqualTo("10s");
      assertThat(show(session, "lock_timeout")).isEqualTo("5s");
      assertThat(show(session, "idle_in_transaction_session_timeout")).isEqualTo("2s");
      assertThat(show(session, "enable_seqscan")).isEqualTo("off");
      assertThat(show(session, "plan_cache_mode")).isEqualTo("force_generic_plan");
      assertThat(show(session, "default_transaction_read_only")).isEqualTo("on");
      assertThat(show(session, "application_name")).isEqualTo("reprise-reader");
    }
  }

  private static String show(Session session, String setting) {
    return session.ask("SHOW " + setting, columns -> columns.getString(1));
  }

  @Test
  void a_pooler_that_adds_to_the_name_does_not_hide_the_writer() {
    pooler.start("session", "application_name_add_host = 1");

    try (var store = TestDatabase.open(pooler.url())) {
      TestNode.join(store).start("order-7");

      assertThat(
              database.query(
                  "SELECT application_name FROM pg_stat_activity WHERE datname ="
                      + " current_database()"))
          .contains("reprise-journal");
    }
  }

  @Test
  void in_session_mode_a_fenced_node_commits_nothing() throws Exception {
    pooler.start("session");

    try (var store = TestDatabase.open(pooler.url())) {
      var node = TestNode.join(store);
      long run = node.start("order-7");
      database.execute("UPDATE nodes SET fenced = true");

      assertThatThrownBy(() -> node.commitBriefly(append(run, 2, 2)))
          .isInstanceOf(StoreUnavailable.class);
      assertThat(database.query("SELECT count(*) FROM events")).containsExactly("1");
    }
  }

  // ---- other modes ----------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(strings = {"", "&prepareThreshold=0"})
  void transaction_mode_is_refused(String more) {
    pooler.start("transaction");

    assertShared(() -> engine(Reprise.open(pooler.url() + more)));
    assertShared(() -> Reprise.open(pooler.url() + more).client());
    assertThat(database.query("SELECT relname FROM pg_class WHERE relname = 'runs'")).isEmpty();
  }

  @Test
  void statement_mode_is_refused() {
    pooler.start("statement");

    assertShared(() -> engine(Reprise.open(pooler.url())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "server_round_robin = 1"})
  void transaction_mode_is_refused_for_a_pool_of_connections(String more) {
    pooler.start("transaction", more);

    for (int i = 0; i < 3; i++) {
      try (var pool = pool()) {
        assertShared(() -> engine(Reprise.open(pool)));
      }
    }
  }

  /** Each of two connections would get its own backend, if they were asked in turn. */
  @Test
  void a_pooler_that_takes_two_backends_in_turn_is_refused() throws Exception {
    pooler.start("transaction", "server_round_robin = 1", "default_pool_size = 2");
    try (var one = DriverManager.getConnection(pooler.url());
        var other = DriverManager.getConnection(pooler.url())) {
      one.setAutoCommit(false);
      other.setAutoCommit(false);
      one.createStatement().execute("SELECT 1");
      other.createStatement().execute("SELECT 1"); // now the pool has two
      one.rollback();
      other.rollback();
    }

    assertShared(() -> TestDatabase.open(pooler.url()));
  }

  /** What was set on a shared connection would stay there for its other clients. */
  @Test
  void a_reader_is_refused_before_it_changes_a_shared_connection() throws Exception {
    database.open().close();
    pooler.start("transaction", "default_pool_size = 1");

    assertShared(() -> new PostgresProvider().open(pooler.url(), new Options(false, true)));

    try (var other = DriverManager.getConnection(pooler.url());
        var rows = other.createStatement().executeQuery("SHOW default_transaction_read_only")) {
      rows.next();
      assertThat(rows.getString(1)).isEqualTo("off");
    }
  }

  /** Under load two connections get different backends, and not always the same ones. */
  @Test
  void transaction_mode_is_refused_while_other_clients_keep_the_pooler_busy() throws Exception {
    pooler.start("transaction", "default_pool_size = 8");
    var ended = new AtomicBoolean();
    try (var others = Executors.newFixedThreadPool(6)) {
      var busy = new ArrayList<Future<String>>();
      for (int i = 0; i < 6; i++) busy.add(others.submit(() -> load(ended)));
      try {
        for (int i = 0; i < 5; i++) assertShared(() -> TestDatabase.open(pooler.url()));
      } finally {
        ended.set(true);
      }
      assertThat(busy).hasSize(6);
    }
  }

  private String load(AtomicBoolean ended) throws Exception {
    try (var connection = DriverManager.getConnection(pooler.url());
        var statement = connection.createStatement()) {
      while (!ended.get()) statement.execute("SELECT count(*) FROM generate_series(1, 5000)");
      return connection.getCatalog();
    }
  }

  // ---- while an engine runs ---------------------------------------------------------------------

  @Test
  void a_pooler_that_is_switched_to_transaction_mode_stops_the_writer_until_it_is_back() {
    pooler.start("session");
    try (var log = new LogLines();
        var store = TestDatabase.open(pooler.url())) {
      var node = TestNode.join(store);
      var event = append(node.start("order-7"), 2, 2);

      pooler.stop();
      pooler.start("transaction");

      TestDatabase.await("R140", () -> code(() -> node.commitBriefly(event)) == 140);
      assertThat(database.query("SELECT count(*) FROM events")).containsExactly("1");
      assertThat(store.isPresent()).isFalse();
      TestDatabase.await("the log has it", () -> log.with("ERROR", "R140") > 0);

      pooler.stop();
      pooler.start("session");

      TestDatabase.await("it writes", () -> code(() -> node.commit(event)) == 0);
      assertThat(database.query("SELECT count(*) FROM events")).containsExactly("2");
    }
  }

  /** Each batch on a connection of a pool looks for the fence itself, until this is noticed. */
  @Test
  void a_pooler_that_is_switched_stops_a_writer_with_a_pool_of_connections_too() {
    pooler.start("session");
    try (var log = new LogLines();
        var pool = pool();
        var store = Reprise.open(pool, TestDatabase.ENGINE)) {
      var node = TestNode.join(store);
      node.start("order-7");

      pooler.stop();
      pooler.start("transaction");

      TestDatabase.await("R140", () -> code(() -> startAnother(node)) == 140);
      var events = database.query("SELECT count(*) FROM events");
      assertThat(code(() -> startAnother(node))).isEqualTo(140);
      assertThat(store.isPresent()).isFalse();
      TestDatabase.await("the log has it", () -> log.with("ERROR", "R140") > 0);
      assertThat(database.query("SELECT count(*) FROM events")).isEqualTo(events);

      pooler.stop();
      pooler.start("session");

      TestDatabase.await("it writes", () -> code(() -> startAnother(node)) == 0);
    }
  }

  private static List<Outcome> startAnother(TestNode node) {
    var id = UUID.randomUUID().toString();
    return node.commitBriefly(new Start(node.run(id), event(1)));
  }

  private static int code(Supplier<List<Outcome>> commit) {
    try {
      return commit.get().contains(Outcome.STORED) ? 0 : -1;
    } catch (StoreUnavailable failure) {
      return Integer.parseInt(failure.code().name().substring(1));
    }
  }
}
