package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testkit.contract.Rows;
import dev.reprise.testkit.contract.TestNode;
import dev.reprise.testpostgres.PostgresServer;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What another attempt does not mend: it is not retryable, and says what to do. */
class PostgresRefusalTest {
  private static final Options READER = new Options(false, true);

  private final TestDatabase database = TestDatabase.create();

  private static void assertRefused(ThrowingCallable call, ErrorCode code, String... reasons) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RepriseException.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(code);
              assertThat(refused.isRetryable()).isFalse();
            })
        .hasMessageContainingAll(reasons);
  }

  private static Store open(String url) {
    return TestDatabase.open(url);
  }

  private static String unique(String prefix) {
    return prefix + UUID.randomUUID().toString().substring(0, 8);
  }

  private String as(String role) {
    return database.url().replaceFirst("user=[^&]*", "user=" + role);
  }

  // ---- other servers --------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu, built 2023/09/27, go1.19.10)|CockroachDB",
        "PostgreSQL 11.2-YB-2.18.0.0-b0 on x86_64-pc-linux-gnu, 64-bit|YugabyteDB",
        "PostgreSQL 15.2-YB-2.25.0.0-b0 on x86_64-pc-linux-gnu, 64-bit|YugabyteDB",
        "PostgreSQL 12.12 (Greenplum Database 7.0.0 build commit:0a7a3566873325a) on"
            + " x86_64|Greenplum",
        "PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC, Redshift 1.0.12103|Amazon"
            + " Redshift",
        "PostgreSQL 13.14.0-RisingWave-2.0.0 (abc)|RisingWave",
        "PostgreSQL 12.3, compiled by Visual C++ build 1914, 64-bit, QuestDB|QuestDB",
        "SomethingNew 1.0|SomethingNew 1.0",
      })
  void what_only_speaks_like_PostgreSQL_is_refused_by_its_name(String version, String name) {
    assertRefused(
        () -> PostgresOpening.checkKind(version, "it"), ErrorCode.R115, name, "use Postgre");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PostgreSQL 15.18 on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14) 12.2.0,"
            + " 64-bit",
        "PostgreSQL 16.3 (Ubuntu 16.3-1.pgdg22.04+1) on x86_64-pc-linux-gnu",
        "PostgreSQL 14.5 (EnterpriseDB Advanced Server 14.5.0) on x86_64-pc-linux-gnu",
      })
  void PostgreSQL_is_not_refused(String version) {
    PostgresOpening.checkKind(version, "it");
  }

  @Test
  void a_standby_is_refused_by_engines_and_may_be_read() {
    try (var server = PostgresServer.start()) {
      var url = server.createDatabase();
      open(url).close();
      server.demote();

      assertRefused(() -> open(url), ErrorCode.R115, "standby", "targetServerType=primary");
      try (var reader = new PostgresProvider().open(url, READER).orElseThrow()) {
        assertThat(reader.find("order-7")).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"LATIN1", "SQL_ASCII", "EUC_JP"})
  void a_database_that_cannot_keep_every_text_is_refused(String encoding) throws SQLException {
    var name = unique("odd_");
    database.execute(
        "CREATE DATABASE %s ENCODING '%s' TEMPLATE template0 LOCALE 'C'".formatted(name, encoding));
    var url = database.url().replaceFirst("/\\w+\\?", "/" + name + "?");
    try {
      assertRefused(() -> open(url), ErrorCode.R115, encoding, "ENCODING 'UTF8'");
    } finally {
      database.execute("DROP DATABASE " + name + " WITH (FORCE)");
    }
  }

  // ---- rights -----------------------------------------------------------------------------------

  @Test
  void a_user_without_rights_is_R141() throws SQLException {
    var role = unique("bare_");
    database.open().close();
    database.execute(
        "CREATE ROLE %1$s LOGIN; GRANT USAGE ON SCHEMA reprise TO %1$s".formatted(role));
    try {
      assertRefused(() -> open(as(role)), ErrorCode.R141, "may not do that", "permission denied");
    } finally {
      drop(role);
    }
  }

  @Test
  void a_user_who_may_only_read_is_R141_when_it_joins() throws SQLException {
    database.open().close();
    var role = unique("looker_");
    database.execute(
        """
        CREATE ROLE %1$s LOGIN;
        GRANT USAGE ON SCHEMA reprise TO %1$s;
        GRANT SELECT ON ALL TABLES IN SCHEMA reprise TO %1$s\
        """
            .formatted(role));
    try (var store = open(as(role))) {
      assertRefused(() -> TestNode.join(store), ErrorCode.R141, "permission denied");
    } finally {
      database.execute("DROP OWNED BY %1$s; DROP ROLE %1$s".formatted(role));
    }
  }

  @Test
  void a_read_only_database_is_R141() throws SQLException {
    var name = database.query("SELECT current_database()").getFirst();
    database.execute("ALTER DATABASE " + name + " SET default_transaction_read_only = on");

    assertRefused(() -> open(database.url()), ErrorCode.R141, "can only be read");
  }

  @Test
  void names_that_are_taken_are_R115() throws SQLException {
    database.execute(
        "CREATE FUNCTION reprise_fence(int, bigint, uuid) RETURNS int LANGUAGE sql"
            + " AS 'SELECT 1'; CREATE SEQUENCE schema_version_pkey");

    assertRefused(
        () -> open(database.url() + "&currentSchema=public"), ErrorCode.R115, "is there already");
  }

  @Test
  void a_password_that_is_missing_or_wrong_is_R115() throws Exception {
    try (var server = PostgresServer.start()) {
      var secured = new TestDatabase(server.createDatabase());
      secured.execute("CREATE ROLE clerk LOGIN PASSWORD 'right'");
      var rules = Path.of(secured.query("SHOW hba_file").getFirst());
      var rule = "host all clerk 127.0.0.1/32 scram-sha-256\n";
      Files.writeString(rules, rule + Files.readString(rules));
      secured.query("SELECT pg_reload_conf()");
      var url = secured.url().replaceFirst("user=[^&]*", "user=clerk");
      TestDatabase.await(
          "the rule counts",
          () ->
              !secured
                  .query("SELECT 1 FROM pg_hba_file_rules WHERE user_name = '{clerk}'")
                  .isEmpty());

      assertRefused(() -> open(url), ErrorCode.R115, "no password was provided");
      assertRefused(
          () -> open(url + "&password=wrong"), ErrorCode.R115, "refuses the user or the password");
      assertThat(DriverManager.getConnection(url + "&password=right").isValid(5)).isTrue();
    }
  }

  @Test
  void a_host_that_nobody_knows_is_named() {
    var cause = new UnknownHostException("db9.example.org");
    var failure = new SQLException("The connection attempt failed.", "08001", cause);

    assertThat(new PostgresErrors("database 'shop'").meaningOf(failure))
        .hasMessageContaining("The host 'db9.example.org' is unknown.");
  }

  // ---- while an engine runs ---------------------------------------------------------------------

  /** The journal tries again after {@code StoreUnavailable}, whatever its code. */
  @Test
  void a_right_that_is_taken_away_is_waited_for_until_it_is_back() throws SQLException {
    database.open().close();
    var role = limitedRole();
    try (var store = open(as(role))) {
      var node = TestNode.join(store);
      var event = Rows.append(node.start("order-7"), 2, 2);
      database.execute("REVOKE INSERT ON events FROM " + role);
      assertThatThrownBy(() -> node.commit(event)).isInstanceOf(StoreUnavailable.class);

      database.execute("GRANT INSERT ON events TO " + role);

      assertThat(node.commit(event)).containsExactly(Outcome.STORED);
    } finally {
      drop(role);
    }
  }

  @Test
  void a_database_that_is_read_only_for_a_while_is_waited_for() throws Exception {
    var name = database.query("SELECT current_database()").getFirst();
    try (var store = database.open()) {
      var node = TestNode.join(store);
      var event = Rows.append(node.start("order-7"), 2, 2);
      database.execute("ALTER DATABASE " + name + " SET default_transaction_read_only = on");
      database.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()
          """);
      TestDatabase.await("R141", () -> codeOf(() -> node.commit(event)) == ErrorCode.R141);

      new TestDatabase(database.url() + "&options=-c%20default_transaction_read_only%3Doff")
          .execute("ALTER DATABASE " + name + " RESET default_transaction_read_only");
      database.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()
          """);

      TestDatabase.await("it writes", () -> codeOf(() -> node.commit(event)) == null);
    }
    assertThat(database.query("SELECT count(*) FROM events")).containsExactly("2");
  }

  private static @Nullable ErrorCode codeOf(Supplier<List<Outcome>> commit) {
    try {
      assertThat(commit.get()).containsExactly(Outcome.STORED);
      return null;
    } catch (StoreUnavailable failure) {
      return failure.code();
    }
  }

  private String limitedRole() throws SQLException {
    var role = unique("limited_");
    database.execute(
        """
        CREATE ROLE %1$s LOGIN;
        GRANT USAGE ON SCHEMA reprise TO %1$s;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA reprise TO %1$s\
        """
            .formatted(role));
    return role;
  }

  private void drop(String role) throws SQLException {
    database.execute("DROP OWNED BY %1$s; DROP ROLE %1$s".formatted(role));
  }

  @Test
  void a_read_of_a_caller_says_that_the_right_is_missing() throws SQLException {
    database.open().close();
    var role = limitedRole();
    try (var client =
        Reprise.open(as(role)).callTimeout(Duration.ofSeconds(2)).migrate(false).client()) {
      database.execute("REVOKE SELECT ON runs FROM " + role);

      assertRefused(() -> client.describe("order-7"), ErrorCode.R141, "grant it the right");
    } finally {
      drop(role);
    }
  }

  @Test
  void a_write_of_a_caller_says_why_it_has_no_answer() throws SQLException {
    database.open().close();
    var role = limitedRole();
    try (var client =
        Reprise.open(as(role)).callTimeout(Duration.ofSeconds(2)).migrate(false).client()) {
      database.execute("REVOKE INSERT ON workflows FROM " + role);

      assertThatThrownBy(() -> client.start("echo", "order-7", "x"))
          .hasMessageStartingWith("R123")
          .hasMessageContaining("permission denied");
    } finally {
      drop(role);
    }
  }

  @Test
  void a_running_engine_notices_that_a_newer_release_has_migrated_the_schema() throws Exception {
    try (var log = new LogLines();
        var engine =
            Reprise.open(database.url())
                .workflow("echo", String.class, String.class, (_, in) -> in)
                .start()) {
      database.execute("INSERT INTO schema_version (version) VALUES (99)");
      TestDatabase.await(
          "the log has it", () -> log.with("WARN", "R116", "version 99", "up to") == 1);

      assertThat(engine.start("echo", "order-7", "hello").result(Duration.ofSeconds(20)))
          .isEqualTo("hello");
      assertRefused(() -> open(database.url()), ErrorCode.R116, "99");
    }
  }

  // ---- passwords --------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://me:SECRET@host/db",
        "jdbc:postgresql://me:SECRET@host:5432/db",
        "jdbc:postgresql://me:SEC?RET@host:5432/db",
        "jdbc:postgresql://me:/SECRET@host/db",
        "jdbc:postgresql:me:SECRET@host/db",
        "jdbc:postgresql://127.0.0.1:1/db;password=SECRET",
        "jdbc:postgresql://127.0.0.1:1/db&password=SECRET",
        "jdbc:postgresql://127.0.0.1:1/db?user=me&password=SECRET",
        "jdbc:postgresql://SECRET:SECRET/db",
        "jdbc:mysql://host/db?user=me&password=SECRET",
        "jdbc:sqlserver://host;user=me;password=SECRET",
        "jdbc:SECRET",
        "postgres://me:SECRET@host/db",
        "postgresql://me:SECRET@host/db",
        "jdbc:sqlite:postgresql://me:SECRET@host/db",
        "jdbc:sqlite:orders.db?key=SECRET",
        "jdbc:sqlite:file:orders.db?key=SECRET",
      })
  void a_password_is_never_printed(String url) {
    for (var options : List.of(TestDatabase.ENGINE, READER)) {
      assertThatThrownBy(() -> Reprise.open(url, options).close())
          .satisfies(failure -> assertSilent(failure));
    }
  }

  private static void assertSilent(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      assertThat(cause.toString()).doesNotContain("SECRET").doesNotContain("SEC");
    }
    assertThat(failure).isInstanceOf(RepriseException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql:shop",
        "jdbc:postgresql://db1/shop",
        "jdbc:postgresql://db1:5432/shop?user=me&password=a@b:c",
        "jdbc:postgresql://db1:5432,db2.example.com:5433/shop?targetServerType=primary",
        "jdbc:postgresql://[::1]:5432/shop",
        "jdbc:postgresql://db1/?user=me",
        "jdbc:postgresql://db1/my%20shop",
        "jdbc:postgresql:///shop",
      })
  void urls_as_the_driver_knows_them_are_understood(String url) {
    assertThat(OwnConnections.to(url, false).database()).startsWith("database '");
  }

  @Test
  void a_pool_of_connections_to_something_else_is_named_too() {
    var source = new PGSimpleDataSource();
    source.setUrl("jdbc:postgresql://127.0.0.1:1/db?user=me&password=SECRET");

    assertThatThrownBy(() -> Reprise.open(source, TestDatabase.ENGINE))
        .satisfies(failure -> assertSilent(failure));
  }
}
