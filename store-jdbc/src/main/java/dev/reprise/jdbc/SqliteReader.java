package dev.reprise.jdbc;

import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.Grouping;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Inconsistency;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.NodeRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.jdbc.ListSql.Count;
import dev.reprise.jdbc.Rows.Listed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Reads what is committed. */
final class SqliteReader {
  private final Jdbc jdbc;

  SqliteReader(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  static final String NEXT_WAKE =
      """
      SELECT min(wake_at)
        FROM runs
       WHERE status = 'RUNNING' AND owner IS ? AND workflow = ?
       HAVING min(wake_at) IS NOT NULL
      """;

  static final String OTHER_NODES = "SELECT node_key FROM nodes WHERE node <> ?";

  /** One question for each owner and workflow: each is the first entry of its part of the index. */
  Optional<Instant> nextWake(UUID node, List<String> workflows) {
    var owners = new ArrayList<@Nullable Long>();
    owners.add(null);
    owners.addAll(jdbc.list(OTHER_NODES, columns -> columns.getLong(1), node));
    return owners.stream()
        .flatMap(owner -> workflows.stream().flatMap(workflow -> nextWake(owner, workflow)))
        .min(Instant::compareTo);
  }

  private Stream<Instant> nextWake(@Nullable Long owner, String workflow) {
    return jdbc
        .first(NEXT_WAKE, columns -> Micros.instant(columns.getLong(1)), owner, workflow)
        .stream();
  }

  static final String RUNS_WITH_INPUTS =
      """
      SELECT run_key
        FROM runs
       WHERE run_key IN (SELECT run_key FROM inbox)
         AND status = 'RUNNING'
         AND +owner = (SELECT node_key FROM nodes WHERE node = ?)
         AND +workflow IN (SELECT value FROM json_each(?))
      """;

  /** The plus signs keep SQLite from looking through all runs of the node. */
  List<Long> runsWithInputs(UUID node, List<String> workflows) {
    var names = JsonMapper.shared().writeValueAsString(workflows);
    return jdbc.list(RUNS_WITH_INPUTS, columns -> columns.getLong(1), node, names);
  }

  static final String OWNED =
      """
      SELECT node, count(*)
        FROM nodes JOIN runs ON owner = node_key
       WHERE status = 'RUNNING' AND fenced = 0
       GROUP BY node
      """;

  Map<UUID, Long> ownedRuns() {
    var owned = new HashMap<UUID, Long>();
    jdbc.list(
        OWNED,
        Rows.readable(
            columns ->
                owned.put(UUID.fromString(columns.getString(1)), columns.getLong(2)) == null));
    return owned;
  }

  static final String NODES =
      "SELECT node, host, joined_at, fenced, workflows, left_at IS NOT NULL FROM nodes ORDER BY"
          + " node_key";

  /**
   * The file belongs to one process at a time, which the lock beside the file tells.
   *
   * @param isLocked whether a process has it now
   */
  List<NodeRow> nodes(boolean isLocked) {
    return Rows.present(jdbc.list(NODES, Rows.readable(columns -> node(columns, isLocked))));
  }

  private static NodeRow node(ResultSet columns, boolean isLocked) throws SQLException {
    boolean fenced = columns.getInt(4) == 1;
    return new NodeRow(
        UUID.fromString(columns.getString(1)),
        columns.getString(2),
        false,
        Micros.instant(columns.getLong(3)),
        ChronoUnit.FOREVER.getDuration(),
        Instant.MAX,
        false,
        isLocked && !fenced,
        fenced,
        0,
        columns.getBoolean(6),
        names(columns.getString(5)));
  }

  private static @Nullable List<String> names(@Nullable String json) {
    try {
      return json == null ? null : List.of(JsonMapper.shared().readValue(json, String[].class));
    } catch (JacksonException damaged) {
      return null;
    }
  }

  /** From workflow to workflow in the index, for each owner that is none any longer. */
  static final String UNCLAIMED =
      """
      WITH RECURSIVE free AS (
        SELECT NULL AS owner
        UNION ALL
        SELECT node_key FROM nodes WHERE fenced = 1
      ), named AS (
        SELECT free.owner,
               (SELECT min(workflow)
                  FROM runs
                 WHERE status = 'RUNNING' AND owner IS free.owner) AS workflow
          FROM free
        UNION ALL
        SELECT named.owner,
               (SELECT min(workflow)
                  FROM runs
                 WHERE status = 'RUNNING' AND owner IS named.owner AND workflow > named.workflow)
          FROM named
         WHERE workflow IS NOT NULL
      )
      SELECT workflow,
             (SELECT min(wake_at)
                FROM runs
               WHERE status = 'RUNNING' AND owner IS named.owner
                 AND runs.workflow = named.workflow AND wake_at < ?) AS since
        FROM named
       WHERE since IS NOT NULL
      """;

  Map<String, Instant> unclaimed(Instant before) {
    var since = new HashMap<String, Instant>();
    jdbc.list(
        UNCLAIMED,
        columns ->
            since.merge(
                columns.getString(1),
                Micros.instant(columns.getLong(2)),
                (one, other) -> one.isBefore(other) ? one : other),
        before);
    return since;
  }

  static final String RUNS =
      """
      SELECT %s, node
        FROM runs
        LEFT JOIN nodes ON node_key = owner
       WHERE run_key IN (SELECT value FROM json_each(?))
      """
          .formatted(RunColumns.ALL);

  List<RunRow> runs(Collection<Long> keys) {
    var wanted = JsonMapper.shared().writeValueAsString(keys);
    return Rows.present(jdbc.list(RUNS, Rows.readable(RunRows::read), wanted));
  }

  static final String FIND =
      """
      SELECT %s, node
        FROM workflows
        JOIN runs USING (run_key)
        LEFT JOIN nodes ON node_key = owner
       WHERE workflows.workflow_id = ?
      """
          .formatted(RunColumns.ALL);

  Optional<RunRow> find(String workflowId) {
    return jdbc.first(FIND, RunRows::read, workflowId);
  }

  /** The latest, and those before it: they were continued, or their id was used again. */
  static final String RUNS_OF =
      """
      SELECT %s, node
        FROM runs
        LEFT JOIN nodes ON node_key = owner
       WHERE run_key IN (
               SELECT run_key FROM workflows WHERE workflow_id = ?1
               UNION ALL
               SELECT run_key
                 FROM runs
                WHERE workflow_id = ?1
                  AND status IN ('CONTINUED', 'FAILED', 'CANCELLED', 'TIMED_OUT', 'TERMINATED'))
       ORDER BY run_key DESC
      """
          .formatted(RunColumns.ALL);

  List<RunRow> runsOf(String workflowId) {
    return Rows.present(jdbc.list(RUNS_OF, Rows.readable(RunRows::read), workflowId));
  }

  static final String HISTORY =
      """
      SELECT idx, at, type, site, attributes, value, checksum
        FROM events
       WHERE run_key = ? AND idx >= ?
       ORDER BY idx
       LIMIT ?
      """;

  List<EventRow> history(long run, int fromIndex, int limit) {
    return jdbc.list(HISTORY, columns -> event(run, columns), run, fromIndex, limit);
  }

  static final String EVENTS_OF_TYPE =
      """
      SELECT idx, at, type, site, attributes, value, checksum
        FROM events
       WHERE run_key = ? AND type = ?
       ORDER BY idx
      """;

  List<EventRow> eventsOfType(long run, int type) {
    return jdbc.list(EVENTS_OF_TYPE, columns -> event(run, columns), run, type);
  }

  static final String LAST_EVENT =
      """
      SELECT idx, at, type, site, attributes, value, checksum
        FROM events
       WHERE run_key = ?
       ORDER BY idx DESC
       LIMIT 1
      """;

  Optional<EventRow> lastEvent(long run) {
    return jdbc.first(LAST_EVENT, columns -> event(run, columns), run);
  }

  /** An event of that run, in the order of the columns above. */
  static EventRow event(long run, ResultSet columns) throws SQLException {
    var event =
        new EventRow(
            columns.getInt(1),
            Micros.instant(columns.getLong(2)),
            columns.getInt(3),
            columns.getString(4),
            Damage.bytes(columns, 5),
            columns.getBytes(6));
    return Damage.check(event, run, columns, 7);
  }

  static final String INPUTS =
      """
      SELECT input_id, run_key, kind, name, message, value, accepted_at, checksum
        FROM inbox
       WHERE run_key = ?
       ORDER BY input_id
      """;

  List<InputRow> inputs(long run) {
    return jdbc.list(INPUTS, SqliteReader::input, run);
  }

  static final String INPUTS_OF =
      """
      SELECT input_id, run_key, kind, name, message, value, accepted_at, checksum
        FROM inbox
       WHERE run_key IN (SELECT value FROM json_each(?))
      """;

  Map<Long, List<InputRow>> inputs(Collection<Long> runs) {
    var keys = JsonMapper.shared().writeValueAsString(runs);
    return jdbc.list(INPUTS_OF, SqliteReader::input, keys).stream()
        .sorted(Comparator.comparingLong(InputRow::id))
        .collect(Collectors.groupingBy(InputRow::run));
  }

  private static InputRow input(ResultSet columns) throws SQLException {
    return Damage.input(columns, Micros.instant(columns.getLong(7)));
  }

  SqliteTaskReader tasks() {
    return new SqliteTaskReader(jdbc);
  }

  List<Inconsistency> inconsistencies(int limit) {
    return new SqliteAudit(jdbc).inconsistencies(limit);
  }

  private static final ListSql LISTS = new ListSql(new SqliteDialect());

  List<RunRow> list(Filter filter, long beforeKey, int limit) {
    return Rows.page(
        (below, wanted) ->
            jdbc.listOnce(LISTS.list(filter, below, wanted), Listed.of(RunRows::read)),
        beforeKey,
        limit);
  }

  long count(Filter filter) {
    return jdbc.listOnce(LISTS.count(filter), columns -> columns.getLong(1)).getFirst();
  }

  Map<String, Long> countBy(Filter filter, Grouping grouping) {
    return Count.sums(
        Rows.present(
            jdbc.listOnce(LISTS.countBy(filter, grouping), Rows.readable(Count.of(grouping)))));
  }
}
