package dev.reprise.jdbc;

import dev.reprise.RepriseException;
import dev.reprise.engine.store.Inconsistency;
import dev.reprise.engine.store.Inconsistency.Rule;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Looks for rows that do not fit together, with one statement for each way.
 *
 * <p>Each selects: the run's key, the workflow id or null, and one more value for the sentence.
 */
final class SqliteAudit {
  private final Jdbc jdbc;

  SqliteAudit(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  /** At most so many from each statement. */
  List<Inconsistency> inconsistencies(int limit) {
    var found = new ArrayList<>(integrity(limit));
    found.addAll(unreadable("run", ALL_RUNS, RunRows::read, limit));
    found.addAll(unreadable("task", ALL_TASKS, TaskRows::read, limit));
    found.addAll(list(Rule.ONE_OPEN_RUN, OPEN_TWICE, "the workflow id has %s open runs", limit));
    found.addAll(
        list(Rule.NO_ORPHANS, EVENTS_ALONE, "%s events of a run that is not there", limit));
    found.addAll(
        list(Rule.NO_ORPHANS, INPUTS_ALONE, "%s inputs for a run that is not there", limit));
    found.addAll(
        list(
            Rule.NO_ORPHANS, WORKFLOWS_ALONE, "the workflow id leads to no run of its own", limit));
    found.addAll(list(Rule.NO_ORPHANS, RUNS_ALONE, "no workflow id leads to this %s run", limit));
    found.addAll(
        list(Rule.SAME_STATUS, GONE_ON, "it is %s, and its workflow id leads to it", limit));
    found.addAll(list(Rule.NO_ORPHANS, TASKS_ALONE, "%s tasks of a run that is not there", limit));
    found.addAll(list(Rule.NO_ORPHANS, NOT_ASKED_FOR, "no event asked for its task %s", limit));
    found.addAll(list(Rule.SAME_STATUS, WRONG_PLACES, "its place on a queue is %s", limit));
    found.addAll(list(Rule.SAME_STATUS, ON_NO_QUEUE, "it is %s and on no queue", limit));
    found.addAll(list(Rule.KNOWN_OWNER, STRANGERS, "its owner %s is no node", limit));
    return found;
  }

  private List<Inconsistency> list(Rule rule, String sql, String what, int limit) {
    return unlessBroken(
        () ->
            jdbc.list(
                sql,
                columns ->
                    new Inconsistency(
                        rule,
                        columns.getLong(1),
                        columns.getString(2),
                        what.formatted(columns.getString(3))),
                limit));
  }

  /** A statement that runs into a broken page must not hide what the others find. */
  private static List<Inconsistency> unlessBroken(Supplier<List<Inconsistency>> look) {
    try {
      return look.get();
    } catch (StoreUnavailable away) {
      throw away;
    } catch (RepriseException broken) {
      return List.of(Inconsistency.ofDatabase(String.valueOf(broken.getMessage())));
    }
  }

  /** What SQLite says of its own file: pages, indexes, types of columns. */
  private List<Inconsistency> integrity(int limit) {
    return unlessBroken(
        () ->
            jdbc
                .list("PRAGMA integrity_check(%d)".formatted(limit), row -> row.getString(1))
                .stream()
                .filter(line -> !"ok".equals(line))
                .map(line -> Inconsistency.ofDatabase("SQLite's integrity check: " + line))
                .toList());
  }

  static final String ALL_RUNS =
      "SELECT %s, node FROM runs LEFT JOIN nodes ON node_key = owner".formatted(RunColumns.ALL);

  static final String ALL_TASKS = "SELECT %s FROM tasks".formatted(TaskRows.COLUMNS);

  /** Rows with values that the engine never writes. It leaves them out, and so they are named. */
  private List<Inconsistency> unreadable(String what, String sql, Jdbc.Row<?> row, int limit) {
    return unlessBroken(
        () ->
            jdbc.list(sql, columns -> unreadable(what, row, columns)).stream()
                .flatMap(Optional::stream)
                .limit(limit)
                .toList());
  }

  private static Optional<Inconsistency> unreadable(String what, Jdbc.Row<?> row, ResultSet columns)
      throws SQLException {
    long key = columns.getLong(1);
    return Rows.fault(row, columns)
        .map(
            fault ->
                new Inconsistency(
                    Rule.READABLE,
                    key,
                    null,
                    "its %s row cannot be read: %s".formatted(what, fault)));
  }

  static final String OPEN_TWICE =
      """
      SELECT max(run_key), workflow_id, count(*)
        FROM runs
       WHERE status IN ('RUNNING', 'BLOCKED', 'QUEUED') AND status <> 'COMPLETED'
       GROUP BY workflow_id
      HAVING count(*) > 1
       LIMIT ?
      """;

  static final String EVENTS_ALONE =
      """
      SELECT run_key, NULL, count(*)
        FROM events
       WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.run_key = events.run_key)
       GROUP BY run_key
       LIMIT ?
      """;

  static final String INPUTS_ALONE =
      """
      SELECT run_key, NULL, count(*)
        FROM inbox
       WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.run_key = inbox.run_key)
       GROUP BY run_key
       LIMIT ?
      """;

  static final String WORKFLOWS_ALONE =
      """
      SELECT workflows.run_key, workflows.workflow_id, NULL
        FROM workflows
        LEFT JOIN runs USING (run_key)
       WHERE runs.workflow_id IS NOT workflows.workflow_id
       LIMIT ?
      """;

  /**
   * A closed run may have been followed by another one of its workflow id, an open one not. One
   * that was continued, or whose id was used again, may outlive the others, if it cannot be deleted
   * yet.
   */
  static final String RUNS_ALONE =
      """
      SELECT runs.run_key, runs.workflow_id, runs.status
        FROM runs
        LEFT JOIN workflows USING (workflow_id)
       WHERE (workflows.run_key IS NULL
              AND runs.status NOT IN
                ('CONTINUED', 'FAILED', 'CANCELLED', 'TIMED_OUT', 'TERMINATED'))
          OR (workflows.run_key <> runs.run_key AND runs.closed_at IS NULL)
       LIMIT ?
      """;

  /** The workflow goes on with another run, to which its id must lead. */
  static final String GONE_ON =
      """
      SELECT runs.run_key, runs.workflow_id, runs.status
        FROM runs
        JOIN workflows USING (workflow_id, run_key)
       WHERE runs.status = 'CONTINUED' AND runs.status <> 'COMPLETED'
       LIMIT ?
      """;

  static final String TASKS_ALONE =
      """
      SELECT run_key, NULL, count(*)
        FROM tasks
       WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.run_key = tasks.run_key)
       GROUP BY run_key
       LIMIT ?
      """;

  static final String NOT_ASKED_FOR =
      """
      SELECT tasks.run_key, runs.workflow_id, tasks.idx
        FROM tasks
        JOIN runs USING (run_key)
       WHERE tasks.idx > 0
         AND NOT EXISTS (
               SELECT 1 FROM events
                WHERE events.run_key = tasks.run_key AND events.idx = tasks.idx)
       LIMIT ?
      """;

  /** A closed run has none; an open one has an open place if it has begun, and only then. */
  static final String WRONG_PLACES =
      """
      SELECT tasks.run_key, runs.workflow_id, tasks.state
        FROM tasks
        JOIN runs USING (run_key)
       WHERE tasks.idx = 0
         AND (runs.closed_at IS NOT NULL OR (tasks.state = 'OPEN') = (runs.status = 'QUEUED'))
       LIMIT ?
      """;

  /** Nobody would ever begin such a run. */
  static final String ON_NO_QUEUE =
      """
      SELECT run_key, workflow_id, status
        FROM runs
       WHERE status = 'QUEUED' AND status <> 'COMPLETED'
         AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.run_key = runs.run_key AND tasks.idx = 0)
       LIMIT ?
      """;

  /** Nobody would ever take over such a run: only fenced nodes and nobody are asked for. */
  static final String STRANGERS =
      """
      SELECT run_key, workflow_id, owner
        FROM runs
       WHERE status = 'RUNNING' AND owner IS NOT NULL AND owner NOT IN (SELECT node_key FROM nodes)
       LIMIT ?
      """;
}
