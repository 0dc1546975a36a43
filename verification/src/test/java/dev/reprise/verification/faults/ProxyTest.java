package dev.reprise.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.testpostgres.PostgresServer;
import dev.reprise.verification.chaos.Proxy;
import dev.reprise.verification.chaos.Proxy.CutPoint;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

class ProxyTest {
  private static final int PATIENCE_SECONDS = 20;

  private final PostgresServer server = PostgresServer.shared();
  private final Proxy proxy = Proxy.to(server.host(), server.port());
  private String direct;
  private String journal;

  @BeforeEach
  void create() throws SQLException {
    direct = server.createDatabase();
    journal = proxy.url(direct) + "&ApplicationName=" + Proxy.JOURNAL;
    try (var connection = DriverManager.getConnection(direct)) {
      execute(connection, "CREATE TABLE note (text TEXT)");
    }
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void it_lets_everything_pass_until_it_is_told_otherwise() throws SQLException {
    try (var connection = DriverManager.getConnection(journal)) {
      insert(connection, "x".repeat(1_000_000));

      assertThat(longest(connection)).isEqualTo(1_000_000);
      assertThat(proxy.counts().connections()).isEqualTo(1);
    }
  }

  @Test
  void cut_before_the_request_nothing_is_stored() throws Exception {
    try (var connection = DriverManager.getConnection(journal)) {
      var cut = proxy.cutCommit(CutPoint.BEFORE);

      assertThatThrownBy(() -> insert(connection, "x")).isInstanceOf(SQLException.class);

      assertThat(cut.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(CutPoint.BEFORE);
      assertThat(count()).isZero();
    }
  }

  @Test
  void cut_after_the_request_it_is_stored_and_nobody_was_told() throws Exception {
    try (var connection = DriverManager.getConnection(journal)) {
      var cut = proxy.cutCommit(CutPoint.AFTER);

      assertThatThrownBy(() -> insert(connection, "x")).isInstanceOf(SQLException.class);

      assertThat(cut.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(CutPoint.AFTER);
      assertThat(count()).isEqualTo(1);
    }
  }

  @Test
  void of_a_transaction_the_answer_to_its_commit_is_cut() throws Exception {
    try (var connection = DriverManager.getConnection(journal)) {
      connection.setAutoCommit(false);
      var cut = proxy.cutCommit(CutPoint.AFTER);

      insert(connection, "x");
      insert(connection, "y");
      assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);

      assertThat(cut.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(CutPoint.AFTER);
      assertThat(count()).isEqualTo(2);
    }
  }

  @Test
  void cut_during_the_request_the_client_is_not_told_either() throws Exception {
    try (var connection = DriverManager.getConnection(journal)) {
      var cut = proxy.cutCommit(CutPoint.DURING);

      assertThatThrownBy(() -> insert(connection, "x")).isInstanceOf(SQLException.class);

      assertThat(cut.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(CutPoint.DURING);
    }
  }

  @Test
  void only_the_journal_is_cut() throws Exception {
    try (var other = DriverManager.getConnection(proxy.url(direct));
        var connection = DriverManager.getConnection(journal)) {
      var cut = proxy.cutCommit(CutPoint.BEFORE);

      insert(other, "x");
      assertThat(cut).isNotDone();

      assertThatThrownBy(() -> insert(connection, "y")).isInstanceOf(SQLException.class);
      cut.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(proxy.counts().cuts()).isEqualTo(1);
      assertThat(count()).isEqualTo(1);
    }
  }

  @Test
  void notifications_get_lost() throws SQLException {
    try (var listener = DriverManager.getConnection(proxy.url(direct));
        var sender = DriverManager.getConnection(direct)) {
      execute(listener, "LISTEN news");

      execute(sender, "NOTIFY news, 'first'");
      assertThat(notifications(listener)).isEqualTo(1);
      proxy.dropNotifications(true);
      execute(sender, "NOTIFY news, 'second'");
      execute(listener, "SELECT 1"); // what was sent before this is answered is here by now
      assertThat(notifications(listener)).isZero();

      assertThat(proxy.counts().notificationsDropped()).isEqualTo(1);
    }
  }

  @Test
  void a_database_that_is_away_comes_back() throws SQLException {
    try (var connection = DriverManager.getConnection(journal)) {
      proxy.refuse(true);

      assertThatThrownBy(() -> insert(connection, "x")).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> DriverManager.getConnection(journal))
          .isInstanceOf(SQLException.class);
    }
    proxy.refuse(false);
    try (var connection = DriverManager.getConnection(journal)) {
      insert(connection, "y");
    }
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void cut_connections_can_be_made_again() throws SQLException {
    try (var connection = DriverManager.getConnection(journal)) {
      proxy.cutAll();
      assertThatThrownBy(() -> insert(connection, "x")).isInstanceOf(SQLException.class);
    }
    try (var connection = DriverManager.getConnection(journal)) {
      insert(connection, "y");
    }
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void in_a_black_hole_nothing_ends_until_it_is_over() throws Exception {
    try (var connection = DriverManager.getConnection(journal)) {
      proxy.stall(true);
      var insert = CompletableFuture.runAsync(() -> insertUnchecked(connection));

      assertThatThrownBy(() -> insert.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      assertThat(count()).isZero();

      proxy.stall(false);
      insert.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(count()).isEqualTo(1);
    }
  }

  @Test
  void a_slow_database_answers_each_request_late() throws SQLException {
    try (var connection = DriverManager.getConnection(journal)) {
      proxy.delay(Duration.ofMillis(50));
      var start = System.nanoTime();

      insert(connection, "x");
      insert(connection, "y");

      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(100));
    }
  }

  private static void insertUnchecked(Connection connection) {
    try {
      insert(connection, "x");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void insert(Connection connection, String text) throws SQLException {
    try (var statement = connection.prepareStatement("INSERT INTO note VALUES (?)")) {
      statement.setString(1, text);
      statement.executeUpdate();
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int notifications(Connection listener) throws SQLException {
    return listener.unwrap(PGConnection.class).getNotifications(1_000).length;
  }

  private int count() throws SQLException {
    try (var connection = DriverManager.getConnection(direct)) {
      return number(connection, "SELECT count(*) FROM note");
    }
  }

  private static int longest(Connection connection) throws SQLException {
    return number(connection, "SELECT max(length(text)) FROM note");
  }

  private static int number(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
