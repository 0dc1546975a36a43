package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.store.StoreProvider.Options;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every statement finds its rows by the intended index, however many rows there are. */
class SqlitePlanTest {
  @TempDir private static Path folder;
  private static Connection connection;

  @BeforeAll
  static void open() throws SQLException {
    var file = folder.resolve("orders.db");
    SqliteStore.open(file, new Options(true, false)).close();
    connection = DriverManager.getConnection("jdbc:sqlite:" + file);
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  static List<Arguments> statements() {
    var runByKey = "SEARCH runs USING INTEGER PRIMARY KEY (rowid=?)";
    var inboxByRun = "SEARCH inbox USING INDEX inbox_by_run (run_key=?)";
    return List.of(
        Arguments.of(SqliteWriter.IS_RUNNING, runByKey),
        Arguments.of(SqliteWriter.SET_WAKE_AT, runByKey),
        Arguments.of(SqliteWriter.RELEASE, runByKey),
        Arguments.of(SqliteWriter.BLOCK, runByKey),
        Arguments.of(SqliteWriter.UNBLOCK, runByKey),
        Arguments.of(SqliteWriter.CLOSE, runByKey),
        Arguments.of(SqliteWriter.IS_OPEN, runByKey),
        Arguments.of(SqliteWriter.WAITING_INPUTS, "SEARCH inbox USING COVERING INDEX inbox_by_run"),
        Arguments.of(SqliteWriter.DELETE_INPUT, "SEARCH inbox USING INTEGER PRIMARY KEY (rowid=?)"),
        Arguments.of(
            SqliteNodes.FORGET_IDLE, "SEARCH runs USING COVERING INDEX runs_due (owner=?)"),
        Arguments.of(SqliteClaims.OWN, runByKey),
        Arguments.of(
            SqliteClaims.DUE,
            "SEARCH runs USING INDEX runs_due (owner=? AND workflow=? AND wake_at<?)"),
        Arguments.of(SqliteClaims.WITH_INPUTS, runByKey),
        Arguments.of(
            SqliteReader.NEXT_WAKE,
            "SEARCH runs USING COVERING INDEX runs_due (owner=? AND workflow=?)"),
        Arguments.of(SqliteReader.RUNS_WITH_INPUTS, runByKey),
        Arguments.of(SqliteReader.RUNS, runByKey),
        Arguments.of(SqliteReader.FIND, "SEARCH workflows USING PRIMARY KEY (workflow_id=?)"),
        Arguments.of(SqliteReader.FIND, runByKey),
        Arguments.of(SqliteReader.RUN_KEY, "SEARCH workflows USING PRIMARY KEY (workflow_id=?)"),
        Arguments.of(SqliteReader.HISTORY, "sqlite_autoindex_events_1 (run_key=? AND idx>?)"),
        Arguments.of(SqliteReader.INPUTS, inboxByRun),
        Arguments.of(SqliteReader.LIST, "SEARCH runs USING INTEGER PRIMARY KEY (rowid<?)"),
        Arguments.of(SqliteReader.LIST_NOT_COMPLETED, "runs_by_status (status=? AND run_key<?)"));
  }

  @ParameterizedTest
  @MethodSource("statements")
  void every_statement_uses_its_index(String sql, String step) throws SQLException {
    assertThat(plan(sql))
        .anyMatch(line -> line.contains(step))
        .noneMatch(line -> line.matches("SCAN (runs|events|workflows).*"))
        .noneMatch(line -> line.contains("TEMP B-TREE") && !sql.equals(SqliteClaims.WITH_INPUTS));
  }

  private static List<String> plan(String sql) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
      var lines = new ArrayList<String>();
      while (rows.next()) lines.add(rows.getString("detail"));
      return lines;
    }
  }
}
