package dev.reprise.verification.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Many closed runs, copied by SQL from one that an engine has run, since an engine would take
 * minutes. Only what tells runs apart differs: keys, ids and times.
 */
final class Backlog {
  private static final int CHUNK = 100_000; // runs a transaction
  private static final String WORKFLOW_ID = "'closed-' || n";
  private static final String FIRST =
      "SELECT run_key, run_id, workflow_id FROM runs ORDER BY run_key LIMIT 1";

  private static final String COPY =
      """
      INSERT INTO %1$s (%2$s)
      WITH RECURSIVE numbers (n) AS (
        SELECT %4$d UNION ALL SELECT n + 1 FROM numbers WHERE n < %5$d)
      SELECT %3$s
        FROM numbers CROSS JOIN %1$s AS model
       WHERE model.run_key = %6$d
      """;

  private final boolean isPostgres;
  private final Model model;

  /** The run that is copied. */
  private record Model(long key, String runId, String workflowId) {}

  private Backlog(boolean isPostgres, Model model) {
    this.isPostgres = isPostgres;
    this.model = model;
  }

  /** Adds so many copies of the first run in that database, which nobody else may have open. */
  static void add(String url, int count) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      new Backlog(PostgresDatabases.knows(url), model(statement)).add(count, connection, statement);
    }
  }

  private static Model model(Statement statement) throws SQLException {
    try (var row = statement.executeQuery(FIRST)) {
      if (!row.next()) throw new IllegalStateException("there is no run to copy");
      return new Model(row.getLong(1), row.getString(2), row.getString(3));
    }
  }

  private void add(int count, Connection connection, Statement statement) throws SQLException {
    connection.setAutoCommit(false);
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

  private void copy(Statement statement, String table, int from, int to) throws SQLException {
    var columns = columns(statement, table);
    var values = columns.stream().map(column -> value(table, column)).toList();
    statement.execute(
        COPY.formatted(
            table, String.join(", ", columns), String.join(", ", values), from, to, model.key));
  }

  private static List<String> columns(Statement statement, String table) throws SQLException {
    try (var none = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
      var data = none.getMetaData();
      var names = new ArrayList<String>();
      for (int i = 1; i <= data.getColumnCount(); i++) names.add(data.getColumnName(i));
      return names;
    }
  }

  private String value(String table, String column) {
    var copied = "model." + column;
    return switch (column) {
      case "run_key" -> copied + " + n";
      case "workflow_id" -> WORKFLOW_ID;
      case "run_id" -> isPostgres ? "(" + runId() + ")::uuid" : runId();
      case "started_at", "closed_at", "at" -> earlier(copied);
      case "checksum" -> "NULL"; // it is of the run that is copied
      case "attributes" -> table.equals("events") ? renamed(copied) : copied;
      default -> copied;
    };
  }

  private String runId() {
    var digits = isPostgres ? "lpad(to_hex(n), 12, '0')" : "printf('%012x', n)";
    return "'00000000-0000-4000-8000-' || " + digits;
  }

  /** They closed one after the other. */
  private String earlier(String time) {
    return isPostgres ? time + " - n * interval '1 millisecond'" : time + " - n * 1000";
  }

  /** The first event says whose history it is. */
  private String renamed(String bytes) {
    var text = isPostgres ? "convert_from(%s, 'UTF8')" : "CAST(%s AS TEXT)";
    var back = isPostgres ? "convert_to(%s, 'UTF8')" : "CAST(%s AS BLOB)";
    return back.formatted(
        "replace(replace(%s, '%s', %s), '%s', %s)"
            .formatted(text.formatted(bytes), model.runId, runId(), model.workflowId, WORKFLOW_ID));
  }
}
