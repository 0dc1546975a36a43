package dev.reprise.jdbc;

import dev.reprise.ListQuery;
import dev.reprise.Status;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads what is committed. */
final class SqliteReader {
  private final Jdbc jdbc;

  SqliteReader(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  static final String NEXT_WAKE =
      """
      SELECT min(wake_at)
        FROM (SELECT (SELECT min(wake_at) FROM runs
                       WHERE status = 'RUNNING' AND owner IS NULL) AS wake_at
              UNION ALL
              SELECT (SELECT min(wake_at) FROM runs
                       WHERE status = 'RUNNING' AND owner = node_key)
                FROM nodes WHERE node <> ?)
       HAVING min(wake_at) IS NOT NULL
      """;

  Optional<Instant> nextWake(UUID node) {
    return jdbc.first(NEXT_WAKE, columns -> Micros.instant(columns.getLong(1)), node);
  }

  static final String FIND =
      """
      SELECT run_key, run_id, workflows.workflow_id, workflow, status,
             wake_at, started_at, closed_at, blocked_by, node
        FROM workflows
        JOIN runs USING (run_key)
        LEFT JOIN nodes ON node_key = owner
       WHERE workflows.workflow_id = ?
      """;

  Optional<RunRow> find(String workflowId) {
    return jdbc.first(FIND, RunRows::read, workflowId);
  }

  static final String HISTORY =
      """
      SELECT idx, at, type, site, attributes, value
        FROM events
       WHERE run_key = ? AND idx >= ?
       ORDER BY idx
       LIMIT ?
      """;

  List<EventRow> history(long run, int fromIndex, int limit) {
    return jdbc.list(HISTORY, SqliteReader::event, run, fromIndex, limit);
  }

  static final String LAST_EVENT =
      """
      SELECT idx, at, type, site, attributes, value
        FROM events
       WHERE run_key = ?
       ORDER BY idx DESC
       LIMIT 1
      """;

  Optional<EventRow> lastEvent(long run) {
    return jdbc.first(LAST_EVENT, SqliteReader::event, run);
  }

  private static EventRow event(ResultSet columns) throws SQLException {
    return new EventRow(
        columns.getInt(1),
        Micros.instant(columns.getLong(2)),
        columns.getInt(3),
        columns.getString(4),
        columns.getBytes(5),
        columns.getBytes(6));
  }

  static final String INPUTS =
      """
      SELECT input_id, run_key, signal, value, accepted_at
        FROM inbox
       WHERE run_key = ?
       ORDER BY input_id
      """;

  List<InputRow> inputs(long run) {
    return jdbc.list(INPUTS, SqliteReader::input, run);
  }

  private static InputRow input(ResultSet columns) throws SQLException {
    return new InputRow(
        columns.getLong(1),
        columns.getLong(2),
        columns.getString(3),
        columns.getBytes(4),
        Micros.instant(columns.getLong(5)));
  }

  static final String RUN_KEY = "SELECT run_key FROM workflows WHERE workflow_id = ?";

  /** A workflow id that nobody knows has nothing behind it. */
  List<RunRow> list(ListQuery query) {
    if (query.before() == null) return listBefore(Long.MAX_VALUE, query);
    return jdbc.first(RUN_KEY, columns -> columns.getLong(1), query.before())
        .map(key -> listBefore(key, query))
        .orElse(List.of());
  }

  static final String LIST =
      """
      SELECT run_key, run_id, workflow_id, workflow, status,
             wake_at, started_at, closed_at, blocked_by, node
        FROM runs
        LEFT JOIN nodes ON node_key = owner
       WHERE run_key < ?1
         AND (?2 IS NULL OR status = ?2)
         AND (?3 IS NULL OR workflow = ?3)
       ORDER BY run_key DESC
       LIMIT ?4
      """;

  /** The condition on the second line of WHERE is what lets SQLite use the partial index. */
  static final String LIST_NOT_COMPLETED =
      """
      SELECT run_key, run_id, workflow_id, workflow, status,
             wake_at, started_at, closed_at, blocked_by, node
        FROM runs
        LEFT JOIN nodes ON node_key = owner
       WHERE run_key < ?1 AND status = ?2
         AND status <> 'COMPLETED'
         AND (?3 IS NULL OR workflow = ?3)
       ORDER BY run_key DESC
       LIMIT ?4
      """;

  private List<RunRow> listBefore(long key, ListQuery query) {
    var status = query.status();
    var sql = status == null || status == Status.COMPLETED ? LIST : LIST_NOT_COMPLETED;
    return jdbc.list(sql, RunRows::read, key, status, query.workflow(), query.limit());
  }
}
