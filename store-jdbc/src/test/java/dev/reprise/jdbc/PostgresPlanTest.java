package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.filter.Filter;
import dev.reprise.testkit.contract.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every statement finds its rows by the intended index, whatever the parameters are. */
class PostgresPlanTest {
  private static Connection connection;

  /**
   * The tables are empty, where looking through all of them is cheapest: so that is switched off,
   * and what still does it cannot do else.
   */
  @BeforeAll
  static void open() throws SQLException {
    var database = TestDatabase.create();
    database.open().close();
    connection = database.connect();
    try (var statement = connection.createStatement()) {
      statement.execute("SET enable_seqscan = off");
      statement.execute("SET enable_bitmapscan = off");
      statement.execute("SET plan_cache_mode = force_generic_plan");
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  static List<Arguments> statements() {
    return List.of(
        Arguments.of(PostgresWriter.LOOK_UP, "runs_pkey"),
        Arguments.of(PostgresWriter.LOCK_BLOCKED, "using runs_"),
        Arguments.of(PostgresReceipts.RUN_STATES, "runs_pkey"),
        Arguments.of(PostgresReceipts.RECEIPT, "nodes_pkey"),
        Arguments.of(CommitSql.ACCEPT, "workflows_pkey"),
        Arguments.of(CommitSql.CONSUME, "inbox_pkey"),
        Arguments.of(CommitSql.SET_WAKE_AT, "runs_pkey"),
        Arguments.of(CommitSql.RELEASE, "runs_pkey"),
        Arguments.of(CommitSql.BLOCK, "runs_pkey"),
        Arguments.of(CommitSql.UNBLOCK, "runs_pkey"),
        Arguments.of(CommitSql.COMPENSATE, "runs_pkey"),
        Arguments.of(EndingSql.CLOSE_DOORS, "workflows_pkey"),
        Arguments.of(EndingSql.CLOSE, "inbox_by_message"),
        Arguments.of(EndingSql.CLOSE_DOORS_REACHING, "workflows_pkey"),
        Arguments.of(EndingSql.CLOSE_DOORS_REACHING, "runs_pkey"),
        Arguments.of(EndingSql.CONTINUE, "runs_pkey"),
        Arguments.of(EndingSql.CONTINUE, "workflows_pkey"),
        Arguments.of(EndingSql.CONTINUE, "inbox_by_message"),
        Arguments.of(CommitSql.LOCK_TARGETS, "workflows_pkey"),
        Arguments.of(CommitSql.DELIVER, "workflows_pkey"),
        Arguments.of(CommitSql.DELIVER, "runs_pkey"),
        Arguments.of(CommitSql.SET_ATTRIBUTES, "runs_pkey"),
        Arguments.of(PostgresWriter.WORKFLOW_IDS, "runs_pkey"),
        Arguments.of(EndingSql.OPEN_DOORS, "workflows_pkey"),
        Arguments.of(CommitSql.CLOSE_DOOR, "workflows_pkey"),
        Arguments.of(CommitSql.FREE_IDS, "workflows_pkey"),
        Arguments.of(CommitSql.CLOSE_DOOR, "runs_pkey"),
        Arguments.of(CommitSql.CLOSE_ONE, "runs_pkey"),
        Arguments.of(CommitSql.CLOSE_ONE, "workflows_pkey"),
        Arguments.of(CommitSql.CLOSE_ONE, "inbox_by_message"),
        Arguments.of(EndingSql.CLOSE_AT_ONCE, "runs_pkey"),
        Arguments.of(EndingSql.CLOSE_AT_ONCE, "workflows_pkey"),
        Arguments.of(EndingSql.CLOSE_AT_ONCE, "inbox_by_message"),
        Arguments.of(EndingSql.CLOSE_QUIETLY, "runs_pkey"),
        Arguments.of(EndingSql.CLOSE_QUIETLY, "workflows_pkey"),
        Arguments.of(EndingSql.CLOSE_QUIETLY, "inbox_by_message"),
        Arguments.of(PostgresClaims.CLAIM, "runs_due"),
        Arguments.of(PostgresClaims.CLAIM, "inbox_by_workflow"),
        Arguments.of(PostgresClaims.CLAIM, "events_pkey"),
        Arguments.of(PostgresClaims.CLAIM_UNREAD, "runs_due"),
        Arguments.of(PostgresClaims.CLAIM_DUE, "runs_due"),
        Arguments.of(PostgresClaims.ARE_OURS, "runs_pkey"),
        Arguments.of(PostgresReader.FIRST_EVENTS, "events_pkey"),
        Arguments.of(PostgresReader.ALL_INPUTS, "inbox_by_message"),
        Arguments.of(PostgresNodes.FORGET_IDLE, "runs_due"),
        Arguments.of(PostgresReader.NEXT_WAKE, "runs_due"),
        Arguments.of(PostgresReader.UNCLAIMED, "runs_due"),
        Arguments.of(list("waitsFor = signal"), "runs_by_status"),
        Arguments.of(list("waitsFor = signal"), "events_pkey"),
        Arguments.of(list("waitsFor = activity"), "tasks_pkey"),
        Arguments.of(PostgresReader.RUNS_WITH_INPUTS, "inbox_by_workflow"),
        Arguments.of(PostgresReader.OWNED, "runs_due"),
        Arguments.of(PostgresReader.RUNS, "runs_pkey"),
        Arguments.of(PostgresReader.FIND, "workflows_pkey"),
        Arguments.of(PostgresReader.RUNS_OF, "workflows_pkey"),
        Arguments.of(PostgresReader.RUNS_OF, "runs_before"),
        Arguments.of(PostgresReader.RUNS_OF, "runs_pkey"),
        Arguments.of(PostgresReader.EVENTS_OF_TYPE, "events_pkey"),
        Arguments.of(PostgresRetention.DELETE, "runs_closed"),
        Arguments.of(PostgresRetention.DELETE, "events_pkey"),
        Arguments.of(PostgresRetention.DELETE, "workflows_pkey"),
        Arguments.of(PostgresReader.HISTORY, "events_pkey"),
        Arguments.of(PostgresReader.LAST_EVENT, "events_pkey"),
        Arguments.of(PostgresReader.INPUTS, "inbox_by_message"),
        Arguments.of(list(""), "runs_pkey"),
        Arguments.of(list("workflow = 'Checkout'"), "runs_pkey"),
        Arguments.of(list("status = FAILED"), "Scan Backward using runs_by_status"),
        Arguments.of(list("status = COMPENSATING"), "Scan Backward using runs_by_status"),
        Arguments.of(list("status = held"), "Scan Backward using runs_by_status"),
        Arguments.of(list("attribute.a = 1 and status = held"), "runs_by_status"),
        Arguments.of(list("input.a = 1"), "events_pkey"),
        Arguments.of(list("workflowId = 'order-7'"), "runs_pkey"),
        Arguments.of(list("workflowId = 'order-7'"), "workflows_pkey"),
        Arguments.of(list("workflowId = 'order-7'"), "runs_before"),
        Arguments.of(count("status = held"), "runs_by_status"));
  }

  private static String list(String filter) {
    return new ListSql(new PostgresDialect()).list(parsed(filter), 9, 9).text();
  }

  private static String count(String filter) {
    return new ListSql(new PostgresDialect()).count(parsed(filter)).text();
  }

  private static Filter parsed(String filter) {
    return Filter.parse(filter, Rows.NOON);
  }

  @ParameterizedTest
  @MethodSource("statements")
  void every_statement_uses_its_index(String sql, String index) throws SQLException {
    assertThat(Plans.of(connection, sql))
        .anyMatch(line -> line.contains(index))
        .noneMatch(line -> line.matches(".*Seq Scan on (runs|events|workflows|inbox|tasks)\\b.*"));
  }

  /** Else all that are open would be looked at whenever one of them ends. */
  @ParameterizedTest
  @ValueSource(strings = {EndingSql.CLOSE_QUIETLY, EndingSql.CLOSE_AT_ONCE, CommitSql.CLOSE_ONE})
  void runs_that_end_are_found_by_their_keys_only(String sql) throws SQLException {
    assertThat(Plans.of(connection, sql))
        .noneMatch(line -> line.contains("runs_by_status") || line.contains("runs_due"));
  }

  static List<String> statementsWithEvents() {
    return List.of(EventSql.RECORD, CommitSql.START, EndingSql.CLOSE_QUIETLY);
  }

  @ParameterizedTest
  @MethodSource("statementsWithEvents")
  void arrays_of_events_are_not_copied_into_tables_first(String sql) throws SQLException {
    assertThat(Plans.of(connection, sql))
        .anyMatch(line -> line.contains("ProjectSet"))
        .noneMatch(line -> line.contains("Function Scan on unnest"));
  }
}
