package dev.reprise.verification.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Many closed runs, copied by SQL from one that an engine has run, since an engine would take
 * minutes. Only what tells runs apart differs: keys, ids and times.
 */
final class Backlog {
  private static final int CHUNK = 100_000; // runs a transaction

  private static final String COPY =
      """
      INSERT INTO %1$s (%2$s)
      WITH RECURSIVE numbers (n) AS (
        SELECT %4$d UNION ALL SELECT n + 1 FROM numbers WHERE n < %5$d)
      SELECT %3$s
        FROM numbers CROSS JOIN %1$s AS model
       WHERE model.run_key = (SELECT min(run_key) FROM runs)
      """;

  private final boolean isPostgres;
  private final Connection connection;

  private Backlog(Connection connection, boolean isPostgres) {
    this.connection = connection;
    this.isPostgres = isPostgres;
  }

  /** Adds so many copies of the first run in that database, which nobody else may have open. */
  static void add(String url, int count) throws SQLException {
    try (var connection = DriverManager.getConnection(url)) {
      new Backlog(connection, PostgresDatabases.knows(url)).add(count);
    }
  }

  private void add(int count) throws SQLException {
    connection.setAutoCommit(false);
    try (var statement = connection.createStatement()) {
      for (int from = 1; from <= count; from += CHUNK) {
        int to = Math.min(count, from + CHUNK - 1);
        for (var table : List.of("runs", "workflows", "events")) copy(statement, table, from, to);
        connection.commit();
      }
      statement.execute("UPDATE run_keys SET next = (SELECT max(run_key) + 1 FROM runs)");
      connection.commit();
      connection.setAutoCommit(true);
      // What a database does about new rows at its leisure is not to be measured.
      if (isPostgres) statement.execute("VACUUM ANALYZE");
      statement.execute(isPostgres ? "CHECKPOINT" : "PRAGMA wal_checkpoint(TRUNCATE)");
    }
  }

  private void copy(Statement statement, String table, int from, int to) throws SQLException {
    var columns = columns(statement, table);
    var values = columns.stream().map(this::value).toList();
    statement.execute(
        COPY.formatted(table, String.join(", ", columns), String.join(", ", values), from, to));
  }

  private String value(String column) {
    var different =
        Map.of(
            "run_key",
            "model.run_key + n",
            "workflow_id",
            "'closed-' || n",
            "run_id",
            isPostgres ? "gen_random_uuid()" : "printf('%08x-0000-4000-8000-%012x', n, n)",
            "started_at",
            earlier("model.started_at"),
            "closed_at",
            earlier("model.closed_at"));
    return different.getOrDefault(column, "model." + column);
  }

  /** They closed one after the other. */
  private String earlier(String time) {
    return isPostgres ? time + " - n * interval '1 millisecond'" : time + " - n * 1000";
  }

  private static List<String> columns(Statement statement, String table) throws SQLException {
    try (var none = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
      var data = none.getMetaData();
      var names = new ArrayList<String>();
      for (int i = 1; i <= data.getColumnCount(); i++) names.add(data.getColumnName(i));
      return names;
    }
  }
}
