package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.reprise.ErrorCode;
import dev.reprise.NodeDescription.State;
import dev.reprise.RepriseException;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.WakeupMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.sqlite.SQLiteDataSource;

/** An engine on PostgreSQL as an application opens it. */
class PostgresEngineTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final TestDatabase database = TestDatabase.create();

  private HikariDataSource pool() {
    var config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setMaximumPoolSize(2);
    return new HikariDataSource(config);
  }

  private static Engine engine(Reprise reprise) {
    return reprise.workflow("echo", String.class, String.class, (_, in) -> in).start();
  }

  @Test
  void two_connections_of_a_pool_are_enough() throws Exception {
    try (var pool = pool();
        var engine = engine(Reprise.open(pool))) {
      assertThat(engine.start("echo", "order-7", "hello").result(LIMIT)).isEqualTo("hello");
      assertThat(engine.nodes()).extracting(node -> node.state()).containsExactly(State.ALIVE);
    }
  }

  @Test
  void the_pool_stays_open_when_the_engine_is_closed() throws SQLException {
    try (var pool = pool()) {
      engine(Reprise.open(pool)).close();

      try (var connection = pool.getConnection()) {
        assertThat(connection.isValid(1)).isTrue();
      }
    }
  }

  /** What the documentation says about rights. */
  @Test
  void reading_and_writing_rows_is_all_that_an_engine_needs_to_do() throws Exception {
    database.open().close();
    var role = "limited_" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
    database.execute(
        """
        CREATE ROLE %1$s;
        GRANT USAGE ON SCHEMA reprise TO %1$s;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA reprise TO %1$s\
        """
            .formatted(role));
    var limited = database.url() + "&options=-c%20role%3D" + role;

    try (var engine = engine(Reprise.open(limited).migrate(false));
        var client = Reprise.open(limited).migrate(false).client()) {
      assertThat(client.start("echo", "order-7", "hello").result(LIMIT)).isEqualTo("hello");
      assertThat(engine.nodes()).hasSize(2);
    } finally {
      database.execute("DROP OWNED BY %1$s; DROP ROLE %1$s".formatted(role));
    }
  }

  @Test
  void connections_to_something_else_than_PostgreSQL_are_R115() {
    var source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite::memory:");

    assertThatThrownBy(() -> engine(Reprise.open(source)))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R115))
        .hasMessageContaining("must be PostgreSQL");
  }

  @ParameterizedTest
  @EnumSource(
      value = WakeupMode.class,
      names = {"AUTO", "NOTIFY"})
  void a_start_by_a_client_is_told_to_the_engines(WakeupMode mode) throws Exception {
    try (var listener = listener();
        var engine = engine(Reprise.open(database.url()).wakeups(mode));
        var client = Reprise.open(database.url()).wakeups(mode).client()) {
      assertThat(client.start("echo", "order-7", "hello").result(LIMIT)).isEqualTo("hello");

      TestDatabase.await("a notification", () -> heard(listener).stream().anyMatch(this::isDue));
      assertThat(engine.nodes()).hasSize(2);
    }
  }

  @Test
  void with_polling_nobody_is_told_and_the_engines_find_out() throws Exception {
    try (var listener = listener();
        var engine = engine(Reprise.open(database.url()).wakeups(WakeupMode.POLL));
        var client = Reprise.open(database.url()).wakeups(WakeupMode.POLL).client()) {
      assertThat(client.start("echo", "order-7", "hello").result(LIMIT)).isEqualTo("hello");

      var last = UUID.randomUUID().toString();
      database.execute("NOTIFY \"reprise/reprise\", '" + last + "'");
      var heard = new ArrayList<String>();
      TestDatabase.await("our own", () -> heard.addAll(heard(listener)) && heard.contains(last));
      assertThat(heard).containsExactly(last);
      assertThat(engine.nodes()).hasSize(2);
    }
  }

  private boolean isDue(String notification) {
    return notification.endsWith(" due");
  }

  private Connection listener() throws SQLException {
    var connection = database.connect();
    try (var statement = connection.createStatement()) {
      statement.execute("LISTEN \"reprise/reprise\"");
    }
    return connection;
  }

  private static List<String> heard(Connection listener) {
    try {
      var heard = listener.unwrap(PGConnection.class).getNotifications(1);
      return Arrays.stream(heard).map(PGNotification::getParameter).toList();
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
