package dev.reprise.jdbc;

import dev.reprise.QueueLimits;
import dev.reprise.engine.queue.FlowControl;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.TakeTime;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore.Take;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** Hands out tasks, inside of a transaction, which has the file to itself. */
record SqliteHandouts(Jdbc jdbc, TakeTime time) {
  private static final int PROMOTED = 1_000; // at once: others wait for the connection meanwhile

  private record Ready(TaskRef ref, String name) {
    static Ready read(ResultSet columns) throws SQLException {
      return new Ready(new TaskRef(columns.getLong(1), columns.getInt(2)), columns.getString(3));
    }
  }

  List<Handout> take(Take take) {
    var before = inHand(take.hand());
    if (!before.isEmpty()) return before;
    var queues = new SqliteQueues(jdbc);
    var limits = queues.limits(take.queue());
    int room = FlowControl.room(limits, take.limit(), take.perWorker());
    jdbc.update(PROMOTE, take.queue(), take.now(), PROMOTED);
    if (room == 0) return List.of();
    var names = JsonMapper.shared().writeValueAsString(take.policies().keySet());
    var chosen =
        FlowControl.isNeeded(limits)
            ? choose(take, limits, names, room)
            : ready(take.queue(), names, room);
    chosen.forEach(task -> lease(task, take));
    return chosen.isEmpty() ? List.of() : inOrder(chosen, take.hand());
  }

  static final String PROMOTE =
      """
      UPDATE tasks SET state = 'READY'
       WHERE rowid IN (
               SELECT rowid
                 FROM tasks
                WHERE state = 'DELAYED' AND queue = ? AND visible_at <= ?
                ORDER BY visible_at
                LIMIT ?)
      """;

  static final String READY =
      """
      SELECT run_key, idx, name
        FROM tasks
       WHERE queue = ? AND state = 'READY' AND cancelled = 0
         AND name IN (SELECT value FROM json_each(?))
       ORDER BY priority, visible_at, run_key, idx
       LIMIT ?
      """;

  private List<Ready> ready(String queue, String names, int limit) {
    return jdbc.list(READY, Ready::read, queue, names, limit);
  }

  // ---- under limits -----------------------------------------------------------------------------

  private List<Ready> choose(Take take, QueueLimits limits, String names, int room) {
    var queues = new SqliteQueues(jdbc);
    var running = running(take.queue());
    var control = new FlowControl(limits, queues.flow(take.queue()), time.of(take));
    long sum = running.values().stream().mapToLong(Long::longValue).sum();
    int allowance = control.allowance(room, sum);
    var chosen = new ArrayList<Ready>();
    if (!limits.byKey()) {
      chosen.addAll(ready(take.queue(), names, allowance));
    } else if (allowance > 0) {
      var groups = groups(take.queue(), names, allowance);
      for (var pick : control.turns(allowance, running, groups)) {
        chosen.addAll(ofKey(take.queue(), names, pick));
      }
    }
    queues.flow(take.queue(), control.after(chosen.size()));
    return chosen;
  }

  static final String RUNNING =
      """
      SELECT key, count(*)
        FROM tasks
       WHERE queue = ? AND state IN ('LEASED', 'OPEN')
       GROUP BY key
      """;

  private Map<String, Long> running(String queue) {
    var running = new HashMap<String, Long>();
    jdbc.list(RUNNING, columns -> running.put(columns.getString(1), columns.getLong(2)), queue);
    return running;
  }

  /**
   * Goes from one priority and key to the next by the index, past all the others of the same: so it
   * takes as long as there are keys, however much waits.
   */
  static final String GROUPS =
      """
      WITH RECURSIVE line (priority, key) AS (
        SELECT * FROM (
          SELECT priority, key
            FROM tasks
           WHERE queue = ?1 AND state = 'READY'
           ORDER BY priority, key
           LIMIT 1)
        UNION ALL
        SELECT next.priority, next.key
          FROM line
          JOIN tasks AS next
            ON next.rowid = coalesce(
                 (SELECT rowid
                    FROM tasks
                   WHERE queue = ?1 AND state = 'READY'
                     AND priority = line.priority AND key > line.key
                   ORDER BY key
                   LIMIT 1),
                 (SELECT rowid
                    FROM tasks
                   WHERE queue = ?1 AND state = 'READY' AND priority > line.priority
                   ORDER BY priority, key
                   LIMIT 1))
         LIMIT ?4)
      SELECT priority, key,
             (SELECT count(*) FROM (
                SELECT 1
                  FROM tasks
                 WHERE queue = ?1 AND state = 'READY' AND cancelled = 0
                   AND priority = line.priority AND key = line.key
                   AND name IN (SELECT value FROM json_each(?2))
                 LIMIT ?3)),
             (SELECT visible_at
                FROM tasks
               WHERE queue = ?1 AND state = 'READY' AND cancelled = 0
                 AND priority = line.priority AND key = line.key
                 AND name IN (SELECT value FROM json_each(?2))
               ORDER BY visible_at
               LIMIT 1)
        FROM line
      """;

  private List<FlowControl.Group> groups(String queue, String names, int limit) {
    return jdbc
        .list(
            GROUPS,
            columns ->
                new FlowControl.Group(
                    columns.getInt(1),
                    columns.getString(2),
                    columns.getInt(3),
                    Micros.instant(columns.getLong(4))),
            queue,
            names,
            limit,
            FlowControl.MAX_KEYS)
        .stream()
        .filter(group -> group.count() > 0)
        .toList();
  }

  static final String OF_KEY =
      """
      SELECT run_key, idx, name
        FROM tasks
       WHERE queue = ? AND state = 'READY' AND cancelled = 0 AND priority = ? AND key = ?
         AND name IN (SELECT value FROM json_each(?))
       ORDER BY visible_at, run_key, idx
       LIMIT ?
      """;

  private List<Ready> ofKey(String queue, String names, FlowControl.Pick pick) {
    return jdbc.list(OF_KEY, Ready::read, queue, pick.priority(), pick.key(), names, pick.count());
  }

  // ---- into the hand ----------------------------------------------------------------------------

  static final String LEASE =
      """
      UPDATE tasks
         SET state = 'LEASED', attempt = attempt + 1, hand = ?1, worker = ?2, retry = ?3,
             lease_until = ?4 + lease, deadline = ?4 + attempt_limit
       WHERE run_key = ?5 AND idx = ?6
      """;

  private void lease(Ready task, Take take) {
    var retry = take.policies().getOrDefault(task.name(), "");
    jdbc.update(
        LEASE,
        take.hand(),
        take.worker(),
        retry.isEmpty() ? null : retry,
        take.now(),
        task.ref().run(),
        task.ref().index());
  }

  /** The event of a run that has not begun is with the task. */
  static final String IN_HAND =
      """
      SELECT tasks.run_key, tasks.idx, queue, attempt, lease_until, deadline, until, heartbeat,
             runs.workflow_id, runs.run_id,
             coalesce(events.at, start_at), coalesce(events.type, start_type),
             coalesce(events.site, start_site), coalesce(events.attributes, start_attributes),
             coalesce(events.value, start_value),
             CASE tasks.idx WHEN 0 THEN start_checksum ELSE events.checksum END
        FROM tasks
        JOIN runs USING (run_key)
        LEFT JOIN events ON events.run_key = tasks.run_key AND events.idx = tasks.idx
       WHERE hand = ? AND state = 'LEASED'
      """;

  private List<Handout> inHand(UUID hand) {
    return Rows.present(jdbc.list(IN_HAND, Rows.readable(columns -> handout(columns, hand)), hand));
  }

  private List<Handout> inOrder(List<Ready> chosen, UUID hand) {
    var taken = new HashMap<TaskRef, Handout>();
    for (var handout : inHand(hand)) {
      taken.put(handout.ref(), handout);
    }
    return chosen.stream().map(task -> taken.get(task.ref())).filter(Objects::nonNull).toList();
  }

  private static Handout handout(ResultSet columns, UUID hand) throws SQLException {
    var ref = new TaskRef(columns.getLong(1), columns.getInt(2));
    var deadline = TaskRows.instant(columns, 6);
    var until = TaskRows.instant(columns, 7);
    boolean untilFirst = deadline == null || (until != null && until.isBefore(deadline));
    return new Handout(
        ref,
        columns.getString(3),
        columns.getInt(4),
        hand,
        Micros.instant(columns.getLong(5)),
        untilFirst ? until : deadline,
        event(ref, columns),
        columns.getString(9),
        UUID.fromString(columns.getString(10)),
        columns.getBytes(8));
  }

  private static EventRow event(TaskRef ref, ResultSet columns) throws SQLException {
    var event =
        new EventRow(
            ref.isRun() ? 1 : ref.index(),
            Micros.instant(columns.getLong(11)),
            columns.getInt(12),
            columns.getString(13),
            Damage.bytes(columns, 14),
            columns.getBytes(15));
    return Damage.check(event, ref.isRun() ? TaskArrays.KEPT_WITH_TASK : ref.run(), columns, 16);
  }
}
