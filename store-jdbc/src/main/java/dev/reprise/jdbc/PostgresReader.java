package dev.reprise.jdbc;

import static java.util.Comparator.comparingInt;

import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.Grouping;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Stored;
import dev.reprise.jdbc.ListSql.Count;
import dev.reprise.jdbc.Rows.Listed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Reads what is committed. */
record PostgresReader(Session session) {

  static final String NEXT_WAKE =
      """
      SELECT found.wake_at
        FROM (SELECT 0 AS owner UNION ALL SELECT node_key FROM nodes WHERE fenced) AS owners
       CROSS JOIN unnest(?::text[]) AS wanted (workflow)
       CROSS JOIN LATERAL (
               SELECT wake_at
                 FROM runs
                WHERE status = 'RUNNING' AND owner = owners.owner AND workflow = wanted.workflow
                  AND wake_at IS NOT NULL
                ORDER BY wake_at
                LIMIT 1) AS found
       ORDER BY found.wake_at
       LIMIT 1
      """;

  Optional<Instant> nextWake(List<String> workflows) {
    return session.first(
        NEXT_WAKE,
        columns -> PostgresTimes.instant(columns, 1),
        (Object) workflows.toArray(String[]::new));
  }

  /** {@code OFFSET 0} keeps PostgreSQL from looking through all runs of the node. */
  static final String RUNS_WITH_INPUTS =
      """
      SELECT waiting.run_key
        FROM (SELECT DISTINCT run_key FROM inbox WHERE workflow = ANY (?::text[])) AS waiting
       CROSS JOIN LATERAL (
               SELECT owner, status
                 FROM runs
                WHERE run_key = waiting.run_key
               OFFSET 0) AS run
       WHERE run.status = 'RUNNING' AND run.owner = (SELECT node_key FROM nodes WHERE node = ?)
      """;

  List<Long> runsWithInputs(UUID node, List<String> workflows) {
    return session.list(
        RUNS_WITH_INPUTS, columns -> columns.getLong(1), workflows.toArray(String[]::new), node);
  }

  static final String OWNED =
      """
      SELECT node, count(*)
        FROM nodes JOIN runs ON owner = node_key
       WHERE status = 'RUNNING' AND NOT fenced
       GROUP BY node
      """;

  Map<UUID, Long> ownedRuns() {
    var owned = new HashMap<UUID, Long>();
    session.list(OWNED, columns -> owned.put(columns.getObject(1, UUID.class), columns.getLong(2)));
    return owned;
  }

  static final String RUNS =
      """
      SELECT %s, node
        FROM runs
        LEFT JOIN nodes ON node_key = owner
       WHERE run_key = ANY (?::bigint[])
      """
          .formatted(RunColumns.ALL);

  List<RunRow> runs(Collection<Long> keys) {
    var wanted = keys.stream().mapToLong(Long::longValue).toArray();
    return Rows.present(session.list(RUNS, Rows.readable(PostgresRows::run), (Object) wanted));
  }

  static final String FIND =
      """
      SELECT %s, node
        FROM workflows
        JOIN runs ON runs.run_key = workflows.run_key
        LEFT JOIN nodes ON node_key = owner
       WHERE workflows.workflow_id = ?
      """
          .formatted(RunColumns.ALL);

  Optional<RunRow> find(String workflowId) {
    return session.first(FIND, PostgresRows::run, workflowId);
  }

  /** The latest, and those before it: they were continued, or their id was used again. */
  static final String RUNS_OF =
      """
      SELECT %s, node
        FROM runs
        LEFT JOIN nodes ON node_key = owner
       WHERE runs.run_key = ANY (ARRAY(
               SELECT run_key FROM workflows WHERE workflow_id = ?
               UNION ALL
               SELECT run_key
                 FROM runs
                WHERE workflow_id = ?
                  AND status IN ('CONTINUED', 'FAILED', 'CANCELLED', 'TIMED_OUT', 'TERMINATED')))
       ORDER BY runs.run_key DESC
      """
          .formatted(RunColumns.ALL);

  List<RunRow> runsOf(String workflowId) {
    return Rows.present(
        session.list(RUNS_OF, Rows.readable(PostgresRows::run), workflowId, workflowId));
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
    return session.list(HISTORY, columns -> event(run, columns), run, fromIndex, limit);
  }

  static final String FIRST_EVENTS =
      """
      SELECT event.idx, event.at, event.type, event.site, event.attributes, event.value,
             event.checksum, given.run_key
        FROM unnest(?::bigint[]) AS given (run_key)
       CROSS JOIN LATERAL (
               SELECT idx, at, type, site, attributes, value, checksum
                 FROM events
                WHERE events.run_key = given.run_key
                ORDER BY idx
                LIMIT ?) AS event
      """;

  static final String ALL_INPUTS =
      """
      SELECT input_id, run_key, kind, name, message, value, accepted_at, checksum
        FROM inbox
       WHERE run_key = ANY (?::bigint[])
       ORDER BY input_id
      """;

  Map<Long, Stored> load(Collection<Long> runs, int events) {
    var keys = runs.stream().mapToLong(Long::longValue).toArray();
    var loaded = new HashMap<Long, Stored>();
    for (var run : runs) loaded.put(run, new Stored(new ArrayList<>(), new ArrayList<>()));
    session.list(
        FIRST_EVENTS,
        columns -> {
          long run = columns.getLong(8);
          return of(loaded, run).events().add(event(run, columns));
        },
        keys,
        events);
    session.list(
        ALL_INPUTS,
        columns -> of(loaded, columns.getLong(2)).inputs().add(input(columns)),
        (Object) keys);
    for (var stored : loaded.values()) stored.events().sort(comparingInt(EventRow::index));
    return loaded;
  }

  private static Stored of(Map<Long, Stored> loaded, long run) {
    return Objects.requireNonNull(loaded.get(run));
  }

  static final String EVENTS_OF_TYPE =
      """
      SELECT idx, at, type, site, attributes, value, checksum
        FROM events
       WHERE run_key = ? AND type = ?
       ORDER BY idx
      """;

  List<EventRow> eventsOfType(long run, int type) {
    return session.list(EVENTS_OF_TYPE, columns -> event(run, columns), run, type);
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
    return session.first(LAST_EVENT, columns -> event(run, columns), run);
  }

  /** An event of that run, in the order of the columns above. */
  static EventRow event(long run, ResultSet columns) throws SQLException {
    var event =
        new EventRow(
            columns.getInt(1),
            PostgresTimes.instant(columns, 2),
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
    return session.list(INPUTS, PostgresReader::input, run);
  }

  Map<Long, List<InputRow>> inputs(Collection<Long> runs) {
    var found = new HashMap<Long, List<InputRow>>();
    session.list(
        ALL_INPUTS,
        columns ->
            found.computeIfAbsent(columns.getLong(2), _ -> new ArrayList<>()).add(input(columns)),
        (Object) runs.stream().mapToLong(Long::longValue).toArray());
    return found;
  }

  private static InputRow input(ResultSet columns) throws SQLException {
    return Damage.input(columns, PostgresTimes.instant(columns, 7));
  }

  private static final ListSql LISTS = new ListSql(new PostgresDialect());

  List<RunRow> list(Filter filter, long beforeKey, int limit) {
    return Rows.page(
        (below, wanted) ->
            session.listOnce(LISTS.list(filter, below, wanted), Listed.of(PostgresRows::run)),
        beforeKey,
        limit);
  }

  long count(Filter filter) {
    return session.listOnce(LISTS.count(filter), columns -> columns.getLong(1)).getFirst();
  }

  Map<String, Long> countBy(Filter filter, Grouping grouping) {
    return Count.sums(
        Rows.present(
            session.listOnce(LISTS.countBy(filter, grouping), Rows.readable(Count.of(grouping)))));
  }

  /** From workflow to workflow in the index, for each owner that is none any longer. */
  static final String UNCLAIMED =
      """
      WITH RECURSIVE free AS (
        SELECT 0 AS owner
        UNION ALL
        SELECT node_key FROM nodes WHERE fenced
      ), named AS (
        SELECT free.owner, first.workflow
          FROM free
         CROSS JOIN LATERAL (
                 SELECT workflow
                   FROM runs
                  WHERE status = 'RUNNING' AND runs.owner = free.owner
                  ORDER BY runs.owner, workflow
                  LIMIT 1) AS first
        UNION ALL
        SELECT named.owner, next.workflow
          FROM named
         CROSS JOIN LATERAL (
                 SELECT workflow
                   FROM runs
                  WHERE status = 'RUNNING' AND runs.owner = named.owner
                    AND workflow > named.workflow
                  ORDER BY runs.owner, workflow
                  LIMIT 1) AS next
      )
      SELECT named.workflow, min(first.wake_at)
        FROM named
       CROSS JOIN LATERAL (
               SELECT wake_at
                 FROM runs
                WHERE status = 'RUNNING' AND runs.owner = named.owner
                  AND runs.workflow = named.workflow
                  AND wake_at < timestamptz 'epoch' + ?::bigint * interval '1 microsecond'
                ORDER BY runs.owner, runs.workflow, wake_at
                LIMIT 1) AS first
       GROUP BY named.workflow
      """;

  Map<String, Instant> unclaimed(Instant before) {
    var since = new HashMap<String, Instant>();
    session.list(
        UNCLAIMED,
        columns -> since.put(columns.getString(1), PostgresTimes.instant(columns, 2)),
        before);
    return since;
  }
}
