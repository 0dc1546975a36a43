package dev.reprise.jdbc;

import dev.reprise.Status;
import dev.reprise.engine.store.Inconsistency;
import dev.reprise.engine.store.Inconsistency.Rule;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Looks for rows that do not fit together, slice by slice: no statement may take so long that the
 * server ends it, and none keeps old rows from being cleaned up for long.
 *
 * <p>Each statement selects: the run's key, the workflow id or null, and one more value for the
 * sentence.
 */
final class PostgresAudit {
  private static final int SLICE = 20_000; // runs with their events: a second or so

  private static final int MAX_BLIND = 100; // slices whose beginning cannot be read

  private final Session session;
  private final int limit;
  private final List<Inconsistency> found = new ArrayList<>();
  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
  private int blind;
  private final Set<String> broken = new HashSet<>(); // pages, as PostgreSQL names them

  private PostgresAudit(Session session, int limit) {
    this.session = session;
    this.limit = limit;
  }

  /** At most so many of each kind. */
  static List<Inconsistency> inconsistencies(Session session, int limit) {
    var audit = new PostgresAudit(session, limit);
    for (var from = audit.next(0); from.isPresent(); from = audit.next(from.get() + SLICE)) {
      audit.slice(from.get(), from.get() + SLICE - 1);
    }
    for (var from = Optional.of(""); from.isPresent(); from = audit.nextId(from.get())) {
      audit.find(Kind.WORKFLOWS_ALONE, from.get(), SLICE);
    }
    audit.find(Kind.INPUTS_ALONE);
    audit.find(Kind.INPUTS_ASTRAY);
    audit.found.addAll(new IndexCheck(session).damaged());
    return audit.found;
  }

  private void slice(long from, long to) {
    find(Kind.UNREADABLE, from, to, STATUSES);
    find(Kind.EVENTS_ALONE, from, to, to);
    find(Kind.RUNS_ALONE, from, to);
    find(Kind.OPEN_TWICE, from, to);
    find(Kind.OPEN_OR_NOT, from, to);
    find(Kind.STRANGERS, from, to);
    find(Kind.TASKS_ALONE, from, to);
    find(Kind.TASKS_LEFT, from, to);
    find(Kind.WAITING_FOR_NOTHING, from, to);
  }

  private void find(Kind kind, Object... parameters) {
    int left = limit - counts.getOrDefault(kind, 0);
    if (left <= 0) return;
    var all = Arrays.copyOf(parameters, parameters.length + 1);
    all[parameters.length] = left;
    unlessBroken(
        () -> {
          var some = session.list(kind.sql, kind::read, all);
          counts.merge(kind, some.size(), Integer::sum);
          found.addAll(some);
        });
  }

  /** A broken page is named once, and the other slices and rules are looked at all the same. */
  private void unlessBroken(Runnable look) {
    orIfBroken(
        () -> {
          look.run();
          return true;
        },
        () -> false);
  }

  private <T> T orIfBroken(Supplier<T> look, Supplier<T> otherwise) {
    try {
      return look.get();
    } catch (StoreUnavailable failure) {
      if (!PostgresErrors.isDamage(failure)) throw failure;
      var reason = PostgresErrors.reason(failure);
      if (broken.size() < limit && broken.add(reason)) {
        found.add(Inconsistency.ofDatabase("PostgreSQL cannot read: " + reason));
      }
      return otherwise.get();
    }
  }

  /** A way in which rows can be wrong. */
  private enum Kind {
    UNREADABLE(Rule.READABLE, "its run row cannot be read: status '%s'", PostgresAudit.UNREADABLE),
    EVENTS_ALONE(
        Rule.NO_ORPHANS, "events of a run that is not there: %s", PostgresAudit.EVENTS_ALONE),
    RUNS_ALONE(
        Rule.NO_ORPHANS, "no workflow id leads to this run, which is %s", PostgresAudit.RUNS_ALONE),
    OPEN_TWICE(
        Rule.ONE_OPEN_RUN, "the workflow id has another open run, %s", PostgresAudit.OPEN_TWICE),
    OPEN_OR_NOT(
        Rule.SAME_STATUS, "it is %s, its workflow id says otherwise", PostgresAudit.OPEN_OR_NOT),
    STRANGERS(Rule.KNOWN_OWNER, "its owner is no node: %s", PostgresAudit.STRANGERS),
    TASKS_ALONE(
        Rule.NO_ORPHANS, "a task without the event that asked for it: %s", TaskAudit.TASKS_ALONE),
    TASKS_LEFT(
        Rule.SAME_STATUS, "it is %s, its place on a queue says otherwise", TaskAudit.TASKS_LEFT),
    WAITING_FOR_NOTHING(
        Rule.SAME_STATUS, "it is %s, and is on no queue", TaskAudit.WAITING_FOR_NOTHING),
    WORKFLOWS_ALONE(
        Rule.NO_ORPHANS,
        "the workflow id leads to no run of its own, but to %s",
        PostgresAudit.WORKFLOWS_ALONE),
    INPUTS_ALONE(
        Rule.NO_ORPHANS, "inputs for a run that is not there: %s", PostgresAudit.INPUTS_ALONE),
    INPUTS_ASTRAY(
        Rule.NO_ORPHANS,
        "an input waits under another workflow than that of its run: %s",
        PostgresAudit.INPUTS_ASTRAY);

    private final Rule rule;
    private final String what;
    private final String sql;

    Kind(Rule rule, String what, String sql) {
      this.rule = rule;
      this.what = what;
      this.sql = sql;
    }

    private Inconsistency read(ResultSet columns) throws SQLException {
      return new Inconsistency(
          rule, columns.getLong(1), columns.getString(2), what.formatted(columns.getString(3)));
    }
  }

  // ---- slices -----------------------------------------------------------------------------------

  static final String NEXT =
      """
      SELECT min(run_key)
        FROM ((SELECT run_key FROM runs WHERE run_key >= ? ORDER BY run_key LIMIT 1)
              UNION ALL
              (SELECT run_key FROM events WHERE run_key >= ? ORDER BY run_key LIMIT 1)
              UNION ALL
              (SELECT run_key FROM tasks WHERE run_key >= ? ORDER BY run_key LIMIT 1)) AS next
      HAVING count(*) > 0
      """;

  /** Where the next slice of runs, events or tasks begins. */
  private Optional<Long> next(long from) {
    return orIfBroken(
        () -> session.first(NEXT, columns -> columns.getLong(1), from, from, from),
        () -> blind++ < MAX_BLIND ? Optional.of(from) : Optional.empty());
  }

  static final String NEXT_ID =
      """
      SELECT max(workflow_id)
        FROM (SELECT workflow_id FROM workflows
               WHERE workflow_id > ? ORDER BY workflow_id LIMIT ?) AS slice
      HAVING count(*) > 0
      """;

  /** The last workflow id of the slice after this one; nothing if it is the last. */
  private Optional<String> nextId(String after) {
    return orIfBroken(
        () -> session.first(NEXT_ID, columns -> columns.getString(1), after, SLICE),
        Optional::empty);
  }

  // ---- statements -------------------------------------------------------------------------------

  private static final String[] STATUSES =
      Stream.of(Status.values()).map(Status::name).toArray(String[]::new);

  /** Of the columns of a run, the status alone can hold what the engine cannot read. */
  static final String UNREADABLE =
      """
      SELECT run_key, workflow_id, status
        FROM runs
       WHERE run_key BETWEEN ? AND ? AND status <> ALL (?::text[])
       LIMIT ?
      """;

  /** Goes from run to run in the index, so that long histories do not matter. */
  static final String EVENTS_ALONE =
      """
      WITH RECURSIVE histories AS (
        (SELECT run_key FROM events WHERE run_key BETWEEN ? AND ? ORDER BY run_key LIMIT 1)
        UNION ALL
        SELECT (SELECT events.run_key
                  FROM events
                 WHERE events.run_key > histories.run_key AND events.run_key <= ?
                 ORDER BY events.run_key
                 LIMIT 1)
          FROM histories
         WHERE histories.run_key IS NOT NULL)
      SELECT run_key, NULL,
             (SELECT count(*) FROM events WHERE events.run_key = histories.run_key)
        FROM histories
       WHERE run_key IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.run_key = histories.run_key)
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
        LEFT JOIN workflows ON workflows.workflow_id = runs.workflow_id
       WHERE runs.run_key BETWEEN ? AND ?
         AND ((workflows.run_key IS NULL
              AND runs.status NOT IN
                ('CONTINUED', 'FAILED', 'CANCELLED', 'TIMED_OUT', 'TERMINATED'))
              OR (workflows.run_key <> runs.run_key AND runs.closed_at IS NULL))
       LIMIT ?
      """;

  /** Of two open runs of a workflow id, at least one is not the one that the id leads to. */
  static final String OPEN_TWICE =
      """
      SELECT runs.run_key, runs.workflow_id, other.run_key
        FROM runs
        JOIN workflows ON workflows.workflow_id = runs.workflow_id
        JOIN runs AS other ON other.run_key = workflows.run_key
       WHERE runs.run_key BETWEEN ? AND ?
         AND other.run_key <> runs.run_key
         AND other.workflow_id = runs.workflow_id
         AND runs.status IN ('RUNNING', 'BLOCKED', 'QUEUED')
         AND other.status IN ('RUNNING', 'BLOCKED', 'QUEUED')
       LIMIT ?
      """;

  static final String OPEN_OR_NOT =
      """
      SELECT runs.run_key, runs.workflow_id, runs.status
        FROM runs
        JOIN workflows ON workflows.workflow_id = runs.workflow_id
                      AND workflows.run_key = runs.run_key
       WHERE runs.run_key BETWEEN ? AND ?
         AND (workflows.open <> (runs.status IN ('RUNNING', 'BLOCKED', 'QUEUED'))
              OR runs.status = 'CONTINUED')
       LIMIT ?
      """;

  /** Nobody would ever take over such a run: only fenced nodes and nobody are asked for. */
  static final String STRANGERS =
      """
      SELECT run_key, workflow_id, owner
        FROM runs
       WHERE run_key BETWEEN ? AND ?
         AND status = 'RUNNING'
         AND owner <> 0
         AND NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.node_key = runs.owner)
       LIMIT ?
      """;

  static final String WORKFLOWS_ALONE =
      """
      SELECT slice.run_key, slice.workflow_id, slice.run_key
        FROM (SELECT workflow_id, run_key FROM workflows
               WHERE workflow_id > ? ORDER BY workflow_id LIMIT ?) AS slice
        LEFT JOIN runs ON runs.run_key = slice.run_key
       WHERE runs.workflow_id IS DISTINCT FROM slice.workflow_id
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

  /** Engines look for inputs by workflow. */
  static final String INPUTS_ASTRAY =
      """
      SELECT runs.run_key, runs.workflow_id, inbox.workflow
        FROM inbox
        JOIN runs ON runs.run_key = inbox.run_key
       WHERE inbox.workflow <> runs.workflow
       LIMIT ?
      """;
}
