package dev.reprise.jdbc;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testpostgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A fresh PostgreSQL database. */
record TestDatabase(String url) {
  static final Options ENGINE = new Options(true, false);

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final long PAUSE_NANOS = 2_000_000;

  static TestDatabase create() {
    return new TestDatabase(PostgresServer.shared().createDatabase());
  }

  Store open() {
    return open(url);
  }

  static Store open(String url) {
    return new PostgresProvider().open(url, ENGINE).orElseThrow();
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  void execute(String sql) throws SQLException {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first column. */
  List<String> query(String sql) {
    try (var connection = connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      var found = new ArrayList<String>();
      while (rows.next()) found.add(rows.getString(1));
      return found;
    } catch (SQLException failure) {
      throw new IllegalStateException(sql, failure);
    }
  }

  /** Whether some connection of that role waits for a lock. */
  boolean isWaitingForLock(String role) {
    return areWaitingForLock(role) > 0;
  }

  int areWaitingForLock(String role) {
    var waiting =
        """
        SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = '%s' AND wait_event_type = 'Lock'
        """;
    return query(waiting.formatted(role)).size();
  }

  /** Waits for what another thread will bring about. */
  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) throw new AssertionError("never happened: " + what);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
