package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testkit.contract.TestNode;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Which databases are opened, and how those that are not say why. */
class PostgresOpeningTest {
  private static final Options NO_MIGRATION = new Options(false, false);
  private static final Options READER = new Options(false, true);

  private final TestDatabase database = TestDatabase.create();

  private Store open(String url, Options options) {
    return new PostgresProvider().open(url, options).orElseThrow();
  }

  private static void assertRefused(ThrowingCallable opening, ErrorCode code, String reason) {
    assertThatThrownBy(opening)
        .isInstanceOfSatisfying(
            RepriseException.class, refused -> assertThat(refused.code()).isEqualTo(code))
        .hasMessageContaining(reason);
  }

  @Test
  void other_urls_are_left_to_others() {
    assertThat(new PostgresProvider().open("jdbc:sqlite:orders.db", NO_MIGRATION)).isEmpty();
  }

  @Test
  void a_url_that_is_none_is_refused() {
    assertRefused(
        () -> open("jdbc:postgresql://host:port:x/y", NO_MIGRATION), ErrorCode.R115, "URL");
  }

  @Test
  void a_database_that_does_not_exist_is_refused() {
    var missing = database.url().replaceFirst("/\\w+\\?", "/missing?");

    assertRefused(() -> open(missing, NO_MIGRATION), ErrorCode.R115, "create it first");
  }

  @Test
  void a_server_that_is_not_there_is_unavailable() {
    assertThatThrownBy(() -> open("jdbc:postgresql://127.0.0.1:1/orders", NO_MIGRATION))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("127.0.0.1:1");
  }

  @Test
  void a_user_that_may_not_log_in_is_refused() throws SQLException {
    var role = "nobody_" + UUID.randomUUID().toString().substring(0, 8);
    database.execute("CREATE ROLE " + role + " NOLOGIN");
    var url = database.url().replaceFirst("user=[^&]*", "user=" + role);

    assertRefused(() -> open(url, NO_MIGRATION), ErrorCode.R115, "refuses the user");
    database.execute("DROP ROLE " + role);
  }

  @Test
  void tables_of_something_else_are_left_alone() throws SQLException {
    database.execute("CREATE TABLE events (id bigint)");

    assertRefused(
        () -> open(database.url() + "&currentSchema=public", TestDatabase.ENGINE),
        ErrorCode.R115,
        "'public' of database");
    assertThat(database.query("SELECT relname FROM pg_class WHERE relname = 'runs'")).isEmpty();
  }

  @Test
  void a_newer_schema_is_refused() throws SQLException {
    database.open().close();
    database.execute("INSERT INTO schema_version (version) VALUES (99)");

    assertRefused(() -> open(database.url(), TestDatabase.ENGINE), ErrorCode.R116, "99");
  }

  @Test
  void without_migration_there_must_be_tables() {
    assertRefused(() -> open(database.url(), NO_MIGRATION), ErrorCode.R116, "postgres");
    assertRefused(() -> open(database.url(), READER), ErrorCode.R116, "postgres");
  }

  @Test
  void tables_made_by_hand_are_as_good() throws Exception {
    for (var name : Migrator.POSTGRES) {
      try (var script = Migrator.class.getResourceAsStream("postgres/" + name)) {
        database.execute(new String(script.readAllBytes()));
      }
    }

    try (var store = open(database.url(), NO_MIGRATION)) {
      TestNode.join(store).start("order-7");
    }
  }

  @Test
  void several_may_create_the_tables_at_once() throws Exception {
    try (var threads = Executors.newFixedThreadPool(4)) {
      var opening = Collections.<Callable<Store>>nCopies(4, database::open);
      for (var opened : threads.invokeAll(opening)) opened.get().close();
    }
    assertThat(database.query("SELECT version FROM schema_version"))
        .containsExactlyElementsOf(
            Migrator.POSTGRES.stream()
                .map(file -> Integer.toString(Migrator.versionOf(file)))
                .toList());
  }

  @Test
  void a_schema_of_the_search_path_has_the_tables() throws SQLException {
    database.execute("CREATE SCHEMA ours");
    var url = database.url() + "&currentSchema=ours";

    try (var store = open(url, TestDatabase.ENGINE)) {
      TestNode.join(store).start("order-7");
    }

    assertThat(database.query("SELECT workflow_id FROM ours.runs")).containsExactly("order-7");
  }

  @Test
  void a_reader_reads_and_writes_nothing() {
    try (var store = database.open()) {
      TestNode.join(store).start("order-7");
    }

    try (var reader = open(database.url(), READER)) {
      assertThat(reader.find("order-7")).isPresent();
      assertThatThrownBy(() -> TestNode.join(reader)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> reader.reserveKeys(1)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void the_settings_of_a_pool_are_as_before() throws SQLException {
    try (var pool = pool(2)) {
      try (var store = Reprise.open(pool, TestDatabase.ENGINE)) {
        TestNode.join(store).start("order-7");
      }
      try (var connection = pool.getConnection();
          var rows = connection.createStatement().executeQuery("SHOW statement_timeout")) {
        assertThat(connection.getAutoCommit()).isTrue();
        assertThat(connection.getNetworkTimeout()).isZero();
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo("0");
      }
    }
  }

  @Test
  void a_pool_of_one_connection_is_too_small() {
    try (var pool = pool(1);
        var store = Reprise.open(pool, TestDatabase.ENGINE)) {
      var node = new Joining(UUID.randomUUID(), "host", false, Duration.ofSeconds(10));

      assertThatThrownBy(() -> store.join(node))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("at least 2 connections");
    }
  }

  private HikariDataSource pool(int size) {
    var config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(500);
    return new HikariDataSource(config);
  }

  @Test
  void connections_say_what_they_are_for() {
    try (var store = database.open()) {
      TestNode.join(store).start("order-7");

      assertThat(
              database.query(
                  """
                  SELECT application_name FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid()
                     AND backend_type = 'client backend'
                   ORDER BY 1
                  """))
          .isEqualTo(List.of("reprise-journal", "reprise-presence", "reprise-reader"));
    }
  }

  @Test
  void the_clock_is_never_ahead_of_the_database() {
    try (var store = database.open()) {
      TestNode.join(store);
      for (int i = 0; i < 50; i++) {
        var before = store.clock().instant();
        var there = database.query("SELECT extract(epoch FROM clock_timestamp()) * 1000000");
        assertThat(Micros.of(before))
            .isLessThanOrEqualTo((long) Double.parseDouble(there.getFirst()));
      }
      assertThat(store.clock().instant()).isAfter(Instant.EPOCH);
    }
  }
}
