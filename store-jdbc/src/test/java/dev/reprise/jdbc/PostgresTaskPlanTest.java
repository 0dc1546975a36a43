package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every statement about tasks finds them by the intended index, however many there are. */
class PostgresTaskPlanTest {
  private static final String TABLES = "(runs|events|workflows|inbox|tasks|workers)";

  /** Of some queues, keys, priorities and states, and of nearly as many runs. */
  private static final String FILL =
      """
      INSERT INTO tasks (run_key, idx, queue, name, key, priority, state, attempt, scheduled_at,
                         visible_at, lease, wait_until, hand, lease_until, unique_key)
      SELECT n, n % 3, 'queue-' || n % 7, 'name-' || n % 5, 'key-' || n % 100, n % 3,
             CASE WHEN n % 10 < 6 THEN 'READY' WHEN n % 10 < 8 THEN 'DELAYED'
                  WHEN n % 100 < 95 THEN 'LEASED' WHEN n % 2 = 0 THEN 'EXTERNAL' ELSE 'OPEN' END,
             1, now(), now() + n * interval '1 ms', interval '30 s', now() + interval '1 h',
             gen_random_uuid(), now() + interval '30 s', CASE WHEN n % 50 = 0 THEN 'only-' || n END
        FROM generate_series(1, 100000) AS n
      """;

  private static final String FILL_RUNS =
      """
      INSERT INTO runs (run_key, run_id, workflow_id, workflow, status, started_at)
      SELECT n, gen_random_uuid(), 'order-' || n, 'Checkout', 'RUNNING', now()
        FROM generate_series(1, 20000) AS n;
      INSERT INTO workflows (workflow_id, run_key, open)
      SELECT workflow_id, run_key, true FROM runs;
      INSERT INTO events (run_key, idx, type, at, attributes)
      SELECT run_key, 1, 1, now(), '' FROM runs;
      INSERT INTO workers (worker, queue, host, concurrency, names, seen_at)
      SELECT gen_random_uuid(), 'queue-1', 'host', 8, '{}', now() FROM generate_series(1, 1000);
      """;

  private static Connection empty;
  private static Connection full;

  @BeforeAll
  static void open() throws SQLException {
    empty = connect();
    full = connect();
    try (var statement = full.createStatement()) {
      statement.execute(FILL);
      statement.execute(FILL_RUNS);
      statement.execute("ANALYZE");
    }
  }

  private static Connection connect() throws SQLException {
    var database = TestDatabase.create();
    database.open().close();
    var connection = database.connect();
    try (var statement = connection.createStatement()) {
      statement.execute("SET enable_seqscan = off");
      statement.execute("SET enable_bitmapscan = off");
      statement.execute("SET plan_cache_mode = force_generic_plan");
    }
    return connection;
  }

  @AfterAll
  static void close() throws SQLException {
    empty.close();
    full.close();
  }

  static List<Arguments> statements() {
    return List.of(
        Arguments.of(TaskSql.INSERT, "runs_pkey"),
        Arguments.of(TaskSql.TAKE_BACK, "workflows_pkey"),
        Arguments.of(TaskSql.BEGIN, "runs_pkey"),
        Arguments.of(TaskSql.BEGIN, "tasks_pkey"),
        Arguments.of(TaskSql.LOCK, "tasks_pkey"),
        Arguments.of(TaskSql.CANCEL, "tasks_pkey"),
        Arguments.of(TaskSql.MOVE, "tasks_pkey"),
        Arguments.of(TaskSql.FREE, "tasks_pkey"),
        Arguments.of(TaskStarts.TAKEN_IDS, "workflows_pkey"),
        Arguments.of(HandoutSql.TAKE, "Index Scan using tasks_ready on"),
        Arguments.of(HandoutSql.TAKE, "tasks_waiting"),
        Arguments.of(HandoutSql.TAKE, "tasks_held"),
        Arguments.of(HandoutSql.TAKE, "events_pkey"),
        Arguments.of(HandoutSql.TAKE, "runs_pkey"),
        Arguments.of(HandoutSql.TAKE, "Tid Scan"),
        Arguments.of(HandoutSql.HANDED, "tasks_held"),
        Arguments.of(HandoutSql.PROMOTE, "tasks_waiting"),
        Arguments.of(HandoutSql.RUNNING, "tasks_held"),
        Arguments.of(HandoutSql.GROUPS, "tasks_ready_by_key"),
        Arguments.of(HandoutSql.TAKE_IN_TURNS, "tasks_ready_by_key"),
        Arguments.of(HandoutSql.TAKE_FIRST, "Index Scan using tasks_ready on"),
        Arguments.of(HandoutSql.LOCK_QUEUE, "queues_pkey"),
        Arguments.of(HandoutSql.SET_FLOW, "queues_pkey"),
        Arguments.of(ReportSql.LOCK_DOORS, "workflows_pkey"),
        Arguments.of(ReportSql.REPORT, "tasks_pkey"),
        Arguments.of(ReportSql.REPORT, "workflows_pkey"),
        Arguments.of(ReportSql.REPORT, "Tid Scan"),
        Arguments.of(ReportSql.HEARTBEAT, "tasks_pkey"),
        Arguments.of(ReportSql.HEARTBEAT, "Tid Scan"),
        Arguments.of(QueueSql.OVERDUE, "tasks_due"),
        Arguments.of(QueueSql.NEXT_OVERDUE, "tasks_due"),
        Arguments.of(QueueSql.OF_RUN, "tasks_pkey"),
        Arguments.of(QueueSql.FIND, "tasks_pkey"),
        Arguments.of(QueueSql.START_OF, "tasks_pkey"),
        Arguments.of(QueueSql.WAITING_SINCE, "tasks_ready"),
        Arguments.of(QueueSql.NAMES_WAITING, "tasks_ready"),
        Arguments.of(QueueSql.RUN_WITH, "tasks_unique"),
        Arguments.of(QueueSql.REPLACE, "tasks_unique"),
        Arguments.of(QueueSql.LIMITS, "queues_pkey"),
        Arguments.of(QueueSql.NEXT_READY, "tasks_waiting"),
        Arguments.of(QueueSql.NEXT_READY, "tasks_ready"),
        Arguments.of(QueueSql.QUEUES, "tasks_ready"),
        Arguments.of(QueueSql.QUEUES, "tasks_waiting"),
        Arguments.of(QueueSql.QUEUES, "tasks_held"),
        Arguments.of(QueueSql.COUNT, "tasks_ready"),
        Arguments.of(QueueSql.COUNT, "tasks_waiting"),
        Arguments.of(QueueSql.COUNT, "tasks_held"),
        Arguments.of(QueueSql.LEAVE, "workers_pkey"),
        Arguments.of(QueueSql.FORGET, "workers_seen"),
        Arguments.of(QueueSql.WORKERS, "workers_seen"),
        Arguments.of(TaskAudit.TASKS_ALONE, "tasks_pkey"),
        Arguments.of(TaskAudit.TASKS_LEFT, "tasks_pkey"),
        Arguments.of(TaskAudit.WAITING_FOR_NOTHING, "tasks_pkey"),
        Arguments.of(PostgresRetention.DELETE, "tasks_pkey"));
  }

  /** Plans are made when nothing is known of the tables, and again when much is. */
  @ParameterizedTest
  @MethodSource("statements")
  void every_statement_uses_its_index_empty_and_full(String sql, String index) throws SQLException {
    check(Plans.of(empty, sql), index);
    check(Plans.of(full, sql), index);
  }

  private static void check(List<String> plan, String index) {
    assertThat(plan)
        .anyMatch(line -> line.contains(index))
        .noneMatch(line -> line.matches(".*Seq Scan on " + TABLES + "\\b.*"));
    for (int i = 1; i < plan.size(); i++) {
      if (!plan.get(i).matches(".*Index (Only )?Scan using \\w+ on " + TABLES + "\\b.*")) continue;
      boolean isStep = plan.get(i - 1).contains("Limit"); // to the next of an index
      boolean isLookup = i + 1 < plan.size() && plan.get(i + 1).contains("Index Cond");
      assertThat(isStep || isLookup).as("%s in %s", plan.get(i), String.join("\n", plan)).isTrue();
    }
  }
}
