package dev.reprise.testpostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresServerTest {
  @ParameterizedTest
  @CsvSource({
    "fsync, on",
    "synchronous_commit, on",
    "full_page_writes, on",
    "server_encoding, UTF8"
  })
  void the_server_is_as_durable_as_in_production(String setting, String value) throws SQLException {
    var url = PostgresServer.shared().createDatabase();

    assertThat(ask(url, "SHOW " + setting)).isEqualTo(value);
  }

  @Test
  void each_database_is_a_fresh_one() throws SQLException {
    var first = PostgresServer.shared().createDatabase();
    var second = PostgresServer.shared().createDatabase();

    execute(first, "CREATE TABLE note (text TEXT)");

    assertThat(first).isNotEqualTo(second);
    assertThat(ask(second, "SELECT to_regclass('note') IS NULL")).isEqualTo("t");
  }

  @Test
  void committed_rows_survive_a_kill() throws SQLException {
    try (var server = PostgresServer.start()) {
      var url = server.createDatabase();
      execute(url, "CREATE TABLE note (text TEXT)");

      for (int life = 1; life <= 3; life++) {
        execute(url, "INSERT INTO note VALUES ('kept')");
        server.kill();
        assertThatThrownBy(() -> ask(url, "SELECT 1")).isInstanceOf(SQLException.class);
        server.restart();

        assertThat(ask(url, "SELECT count(*) FROM note")).isEqualTo(Integer.toString(life));
      }
    }
  }

  @Test
  void a_kill_ends_the_connections() throws SQLException {
    try (var server = PostgresServer.start();
        var connection = DriverManager.getConnection(server.createDatabase())) {
      server.kill();
      server.restart();

      assertThat(connection.isValid(5)).isFalse();
    }
  }

  @Test
  void a_closed_server_leaves_nothing_behind() throws SQLException {
    var server = PostgresServer.start();
    var url = server.createDatabase();
    var data = Path.of(ask(url, "SHOW data_directory"));
    assertThat(data).exists();

    server.close();

    assertThat(Files.exists(data.getParent())).isFalse();
    assertThatThrownBy(() -> ask(url, "SELECT 1")).isInstanceOf(SQLException.class);
  }

  @Test
  void a_server_that_was_killed_can_be_closed() {
    var server = PostgresServer.start();
    server.kill();

    server.close();

    assertThatThrownBy(server::createDatabase).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_standby_follows_and_takes_over() throws SQLException {
    try (var primary = PostgresServer.start();
        var standby = primary.standby(primary.port())) {
      var url = primary.createDatabase();
      execute(url, "CREATE TABLE note (text TEXT)");
      primary.waitForStandby(true);
      execute(url, "INSERT INTO note VALUES ('kept')");
      primary.awaitShownBy(standby);
      var there = url.replace(":" + primary.port(), ":" + standby.port());
      assertThat(ask(there, "SELECT pg_is_in_recovery()")).isEqualTo("t");

      primary.kill();
      standby.promote();

      assertThat(ask(there, "SELECT text FROM note")).isEqualTo("kept");
      execute(there, "INSERT INTO note VALUES ('more')");
      primary.follow(standby, standby.port());
      assertThat(ask(url, "SELECT pg_is_in_recovery()")).isEqualTo("t");
      standby.awaitShownBy(primary);
      standby.kill();
      primary.promote();
      assertThat(ask(url, "SELECT count(*) FROM note")).isEqualTo("2");
    }
  }

  private static void execute(String url, String sql) {
    DatabaseUrl.parse(url).execute(sql);
  }

  private static String ask(String url, String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }
}
