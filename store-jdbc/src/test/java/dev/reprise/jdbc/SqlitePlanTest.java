package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testkit.contract.Rows;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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
    var workflowById = "SEARCH workflows USING PRIMARY KEY (workflow_id=?)";
    return List.of(
        Arguments.of(SqliteWriter.IS_RUNNING, runByKey),
        Arguments.of(SqliteWriter.SET_WAKE_AT, runByKey),
        Arguments.of(SqliteWriter.RELEASE, runByKey),
        Arguments.of(SqliteWriter.BLOCK, runByKey),
        Arguments.of(SqliteWriter.UNBLOCK, runByKey),
        Arguments.of(SqliteWriter.CLOSE, runByKey),
        Arguments.of(SqliteWriter.MAY_CLOSE, runByKey),
        Arguments.of(SqliteWriter.COMPENSATE, runByKey),
        Arguments.of(SqliteWriter.CONTINUE, runByKey),
        Arguments.of(SqliteWriter.SET_ATTRIBUTES, runByKey),
        Arguments.of(SqliteWriter.POINT_TO_NEXT, workflowById),
        Arguments.of(SqliteWriter.FREE_ID, workflowById),
        Arguments.of(SqliteWriter.FREE_ID, runByKey),
        Arguments.of(SqliteInputs.IS_OPEN, runByKey),
        Arguments.of(SqliteInputs.OPEN_RUN, workflowById),
        Arguments.of(SqliteInputs.OPEN_RUN, runByKey),
        Arguments.of(SqliteInputs.CARRY_OVER, "SEARCH inbox USING"),
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
        Arguments.of(
            SqliteReader.UNCLAIMED,
            "SEARCH runs USING COVERING INDEX runs_due (owner=? AND workflow>?)"),
        Arguments.of(
            SqliteReader.UNCLAIMED,
            "SEARCH runs USING COVERING INDEX runs_due (owner=? AND workflow=? AND wake_at<?)"),
        Arguments.of(list("waitsFor = signal"), "runs_by_status (status=? AND run_key<?)"),
        Arguments.of(list("waitsFor = signal"), "sqlite_autoindex_events_1 (run_key=?)"),
        Arguments.of(SqliteReader.RUNS_WITH_INPUTS, runByKey),
        Arguments.of(SqliteReader.RUNS, runByKey),
        Arguments.of(SqliteReader.FIND, workflowById),
        Arguments.of(SqliteReader.FIND, runByKey),
        Arguments.of(SqliteReader.RUNS_OF, runByKey),
        Arguments.of(SqliteReader.RUNS_OF, "runs_before (workflow_id=?)"),
        Arguments.of(SqliteReader.EVENTS_OF_TYPE, "sqlite_autoindex_events_1 (run_key=?)"),
        Arguments.of(SqliteRetention.OLD, "runs_closed (closed_at>? AND closed_at<?)"),
        Arguments.of(SqliteRetention.DELETE_EVENTS, "sqlite_autoindex_events_1 (run_key=?)"),
        Arguments.of(SqliteRetention.DELETE_INPUTS, "SEARCH inbox USING"),
        Arguments.of(SqliteRetention.DELETE_WORKFLOW, workflowById),
        Arguments.of(SqliteRetention.DELETE_RUN, runByKey),
        Arguments.of(SqliteReader.HISTORY, "sqlite_autoindex_events_1 (run_key=? AND idx>?)"),
        Arguments.of(SqliteReader.INPUTS, inboxByRun),
        Arguments.of(SqliteReader.INPUTS_OF, inboxByRun),
        Arguments.of(SqliteRetention.OLD, "SEARCH tasks USING COVERING INDEX"),
        Arguments.of(SqliteWriter.BEGIN, runByKey),
        Arguments.of(SqliteWriter.TAKE_BACK_WORKFLOW, workflowById),
        Arguments.of(list(""), "SEARCH runs USING INTEGER PRIMARY KEY (rowid<?)"),
        Arguments.of(
            list("workflow = 'Checkout'"), "SEARCH runs USING INTEGER PRIMARY KEY (rowid<?)"),
        Arguments.of(list("status = FAILED"), "runs_by_status (status=? AND run_key<?)"),
        Arguments.of(list("status = COMPENSATING"), "runs_by_status (status=? AND run_key<?)"),
        Arguments.of(list("status = held"), "runs_by_status (status=? AND run_key<?)"),
        Arguments.of(
            list("attribute.a = 1 and status = held"), "runs_by_status (status=? AND run_key<?)"),
        Arguments.of(list("input.a = 1"), "sqlite_autoindex_events_1 (run_key=? AND idx=?)"),
        Arguments.of(list("workflowId = 'order-7'"), runByKey),
        Arguments.of(list("workflowId = 'order-7'"), workflowById),
        Arguments.of(list("workflowId = 'order-7'"), "runs_before (workflow_id=?)"),
        Arguments.of(count("status = held"), "runs_by_status (status=?"));
  }

  static List<Arguments> taskStatements() {
    var byKey = "SEARCH tasks USING INDEX sqlite_autoindex_tasks_1 (run_key=? AND idx=?)";
    var ready = "tasks_by_queue (queue=? AND state=?)";
    var unique = "tasks_unique (queue=? AND unique_key=?)";
    return List.of(
        Arguments.of(SqliteTaskWrites.IS_THERE, unique),
        Arguments.of(SqliteTaskWrites.CANCEL, byKey),
        Arguments.of(SqliteTaskWrites.BEGIN, byKey),
        Arguments.of(SqliteTaskWrites.LEAVE, byKey),
        Arguments.of(SqliteTaskWrites.HAND_OVER, "sqlite_autoindex_tasks_1 (run_key=? AND idx=?)"),
        Arguments.of(SqliteTaskWrites.REPLACE, unique),
        Arguments.of(SqliteHandouts.PROMOTE, "tasks_delayed (queue=? AND visible_at<?)"),
        Arguments.of(SqliteHandouts.READY, ready),
        Arguments.of(SqliteHandouts.RUNNING, "tasks_running (queue=?)"),
        Arguments.of(SqliteHandouts.GROUPS, "tasks_by_key (queue=?)"),
        Arguments.of(SqliteHandouts.GROUPS, "tasks_by_key (queue=? AND priority=? AND key>?)"),
        Arguments.of(SqliteHandouts.GROUPS, "tasks_by_key (queue=? AND priority>?)"),
        Arguments.of(SqliteHandouts.GROUPS, "tasks_by_key (queue=? AND priority=? AND key=?)"),
        Arguments.of(SqliteHandouts.OF_KEY, "tasks_by_key (queue=? AND priority=? AND key=?)"),
        Arguments.of(SqliteHandouts.LEASE, byKey),
        Arguments.of(SqliteHandouts.IN_HAND, "tasks_by_hand (hand=?)"),
        Arguments.of(SqliteHandouts.IN_HAND, "SEARCH runs USING INTEGER PRIMARY KEY (rowid=?)"),
        Arguments.of(SqliteHandouts.IN_HAND, "sqlite_autoindex_events_1 (run_key=? AND idx=?)"),
        Arguments.of(SqliteReports.STANDING, byKey),
        Arguments.of(SqliteReports.FINISH, byKey),
        Arguments.of(SqliteReports.LEAVE_OPEN, byKey),
        Arguments.of(SqliteReports.AGAIN, byKey),
        Arguments.of(SqliteReports.BEAT, byKey),
        Arguments.of(SqliteTaskReader.OVERDUE, "tasks_due (due_at<?)"),
        Arguments.of(SqliteTaskReader.NEXT_OVERDUE, "tasks_due (due_at>?)"),
        Arguments.of(SqliteTaskReader.NEXT_DELAYED, "tasks_delayed (queue=?)"),
        Arguments.of(SqliteTaskReader.ANY_READY, ready),
        Arguments.of(SqliteTaskReader.OF_RUN, "sqlite_autoindex_tasks_1 (run_key=?)"),
        Arguments.of(SqliteTaskReader.FIND, byKey),
        Arguments.of(SqliteTaskReader.START_OF, byKey),
        Arguments.of(SqliteTaskReader.WAITING_SINCE, ready),
        Arguments.of(SqliteTaskReader.NAMES_WAITING, ready),
        Arguments.of(SqliteTaskReader.RUN_WITH, unique),
        Arguments.of(SqliteTaskReader.COUNT, "COVERING INDEX tasks_by_queue (queue=?)"),
        Arguments.of(SqliteQueues.LIMITS, "SEARCH queues USING PRIMARY KEY (queue=?)"),
        Arguments.of(SqliteQueues.FLOW, "SEARCH queues USING PRIMARY KEY (queue=?)"),
        Arguments.of(SqliteQueues.SET_FLOW, "SEARCH queues USING PRIMARY KEY (queue=?)"),
        Arguments.of(SqliteQueues.LEAVE, "SEARCH workers USING PRIMARY KEY (worker=?)"),
        Arguments.of(SqliteQueues.FORGET, "workers_seen (seen_at<?)"),
        Arguments.of(SqliteQueues.WORKERS, "workers_seen (seen_at>?)"));
  }

  private static String list(String filter) {
    return new ListSql(new SqliteDialect()).list(parsed(filter), 9, 9).text();
  }

  private static String count(String filter) {
    return new ListSql(new SqliteDialect()).count(parsed(filter)).text();
  }

  private static Filter parsed(String filter) {
    return Filter.parse(filter, Rows.NOON);
  }

  @ParameterizedTest
  @MethodSource({"statements", "taskStatements"})
  void every_statement_uses_its_index(String sql, String step) throws SQLException {
    assertThat(plan(sql))
        .anyMatch(line -> line.contains(step))
        .noneMatch(line -> line.matches("SCAN (runs|events|workflows|tasks|queues|workers).*"))
        .noneMatch(line -> line.contains("TEMP B-TREE") && !sql.equals(SqliteClaims.WITH_INPUTS));
  }

  /** All queues are wanted; of the tasks, the first of each. */
  @Test
  void queues_are_found_without_looking_at_each_task() throws SQLException {
    assertThat(plan(SqliteTaskReader.QUEUES))
        .anyMatch(line -> line.contains("tasks_by_queue (queue>?)"))
        .noneMatch(line -> line.startsWith("SCAN tasks"));
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
