package dev.reprise.jdbc;

/** What is asked about tasks, queues and who serves them. */
final class QueueSql {
  private QueueSql() {}

  // ---- tasks ------------------------------------------------------------------------------------

  private static final String VIEW =
      """
      run_key, idx, queue, name, key, priority, visible_at,
             (extract(epoch FROM lease) * 1000000)::bigint,
             (extract(epoch FROM attempt_limit) * 1000000)::bigint,
             wait_until, until, unique_key, debounced, state, attempt, scheduled_at, lease_until,
             deadline, cancelled, worker, retry, heartbeat, heartbeat_at\
      """;

  static final String OVERDUE =
      """
      SELECT %s
        FROM tasks
       WHERE due_at <= timestamptz 'epoch' + ?::bigint * interval '1 microsecond'
       ORDER BY due_at
       LIMIT ?
      """
          .formatted(VIEW);

  static final String NEXT_OVERDUE =
      """
      SELECT due_at
        FROM tasks
       WHERE due_at IS NOT NULL
       ORDER BY due_at
       LIMIT 1
      """;

  static final String OF_RUN =
      """
      SELECT %s
        FROM tasks
       WHERE run_key = ?
       ORDER BY run_key, idx
      """
          .formatted(VIEW);

  static final String START_OF =
      """
      SELECT 1, start_at, start_type, start_site, start_attributes, start_value,
             start_checksum
        FROM tasks
       WHERE run_key = ? AND idx = 0 AND start_type IS NOT NULL
      """;

  static final String FIND =
      """
      SELECT %s
        FROM tasks
       WHERE run_key = ? AND idx = ?
      """
          .formatted(VIEW);

  static final String RUN_WITH = "SELECT run_key FROM tasks WHERE queue = ? AND unique_key = ?";

  /**
   * The state may change while it waits for somebody who takes the task: then it is not changed.
   */
  static final String REPLACE =
      """
      UPDATE tasks
         SET start_at = timestamptz 'epoch' + ?::bigint * interval '1 microsecond',
             start_type = ?, start_site = ?, start_attributes = ?, start_value = ?,
             start_checksum = ?,
             visible_at = timestamptz 'epoch' + ?::bigint * interval '1 microsecond',
             state = CASE WHEN ?::bigint > ?::bigint THEN 'DELAYED' ELSE 'READY' END
       WHERE queue = ? AND unique_key = ? AND state IN ('DELAYED', 'READY')
      """;

  // ---- queues -----------------------------------------------------------------------------------

  static final String LIMITS = "SELECT limits FROM queues WHERE queue = ?";

  static final String LIMIT =
      """
      INSERT INTO queues (queue, limits, per_worker, counted)
      VALUES (?, ?, ?::int, ?)
          ON CONFLICT (queue) DO UPDATE
         SET limits = excluded.limits, per_worker = excluded.per_worker, counted = excluded.counted
      """;

  /** When the first of those is ready that wait for their time, and what else may be waited for. */
  static final String NEXT_READY =
      """
      SELECT (SELECT visible_at
                FROM tasks
               WHERE queue = ? AND state = 'DELAYED'
               ORDER BY visible_at
               LIMIT 1),
             EXISTS (SELECT 1 FROM tasks WHERE queue = ? AND state = 'READY'),
             (SELECT limits FROM queues WHERE queue = ?),
             (SELECT flow FROM queues WHERE queue = ?)
      """;

  /** Since when the first in line of each queue waits: one look at the index for each. */
  static final String WAITING_SINCE =
      """
      WITH RECURSIVE first AS (
        (SELECT queue, visible_at
           FROM tasks
          WHERE state = 'READY'
          ORDER BY queue, priority, visible_at
          LIMIT 1)
        UNION ALL
        SELECT next.queue, next.visible_at
          FROM first
         CROSS JOIN LATERAL (
                 SELECT queue, visible_at
                   FROM tasks
                  WHERE state = 'READY' AND queue > first.queue
                  ORDER BY queue, priority, visible_at
                  LIMIT 1) AS next
      )
      SELECT queue, visible_at
        FROM first
       WHERE visible_at < timestamptz 'epoch' + ? * interval '1 microsecond'
      """;

  static final String NAMES_WAITING =
      """
      SELECT name, min(visible_at)
        FROM (SELECT name, visible_at
                FROM tasks
               WHERE queue = ? AND state = 'READY'
               ORDER BY queue, priority, visible_at
               LIMIT ?) AS head
       WHERE visible_at < timestamptz 'epoch' + ?::bigint * interval '1 microsecond'
       GROUP BY name
      """;

  /** Goes from queue to queue in the indexes, in which each task is once. */
  static final String QUEUES =
      """
      WITH RECURSIVE ready AS (
        (SELECT queue FROM tasks WHERE state = 'READY' ORDER BY queue LIMIT 1)
        UNION ALL
        SELECT next.queue
          FROM ready
         CROSS JOIN LATERAL (
                 SELECT queue
                   FROM tasks
                  WHERE state = 'READY' AND queue > ready.queue
                  ORDER BY queue
                  LIMIT 1) AS next
      ), waiting AS (
        (SELECT queue FROM tasks WHERE state IN ('DELAYED', 'EXTERNAL') ORDER BY queue LIMIT 1)
        UNION ALL
        SELECT next.queue
          FROM waiting
         CROSS JOIN LATERAL (
                 SELECT queue
                   FROM tasks
                  WHERE state IN ('DELAYED', 'EXTERNAL') AND queue > waiting.queue
                  ORDER BY queue
                  LIMIT 1) AS next
      ), held AS (
        (SELECT queue FROM tasks WHERE state IN ('LEASED', 'OPEN') ORDER BY queue LIMIT 1)
        UNION ALL
        SELECT next.queue
          FROM held
         CROSS JOIN LATERAL (
                 SELECT queue
                   FROM tasks
                  WHERE state IN ('LEASED', 'OPEN') AND queue > held.queue
                  ORDER BY queue
                  LIMIT 1) AS next
      )
      SELECT queue FROM ready
      UNION SELECT queue FROM waiting
      UNION SELECT queue FROM held
      UNION SELECT queue FROM queues
      """;

  static final String COUNT =
      """
      SELECT given.queue, ready.size, delayed.size, leased.size, external.size, open.size,
             ready.oldest
        FROM unnest(?::text[]) WITH ORDINALITY AS given (queue, number)
       CROSS JOIN LATERAL (
               SELECT count(*) AS size, min(visible_at) AS oldest
                 FROM tasks
                WHERE queue = given.queue AND state = 'READY') AS ready
       CROSS JOIN LATERAL (
               SELECT count(*) AS size
                 FROM tasks
                WHERE queue = given.queue AND state = 'DELAYED') AS delayed
       CROSS JOIN LATERAL (
               SELECT count(*) AS size
                 FROM tasks
                WHERE queue = given.queue AND state = 'LEASED') AS leased
       CROSS JOIN LATERAL (
               SELECT count(*) AS size
                 FROM tasks
                WHERE queue = given.queue AND state = 'EXTERNAL') AS external
       CROSS JOIN LATERAL (
               SELECT count(*) AS size
                 FROM tasks
                WHERE queue = given.queue AND state = 'OPEN') AS open
       ORDER BY given.number
      """;

  // ---- workers ----------------------------------------------------------------------------------

  static final String SERVE =
      """
      INSERT INTO workers (worker, queue, host, concurrency, names, seen_at)
      VALUES (?, ?, ?, ?, ?::text[], timestamptz 'epoch' + ?::bigint * interval '1 microsecond')
          ON CONFLICT (worker) DO UPDATE
         SET queue = excluded.queue, host = excluded.host, concurrency = excluded.concurrency,
             names = excluded.names, seen_at = excluded.seen_at
      """;

  static final String LEAVE = "DELETE FROM workers WHERE worker = ?";

  static final String FORGET =
      "DELETE FROM workers WHERE seen_at < timestamptz 'epoch' + ?::bigint * interval '1"
          + " microsecond'";

  static final String WORKERS =
      """
      SELECT worker, queue, host, concurrency, names, seen_at
        FROM workers
       WHERE seen_at >= timestamptz 'epoch' + ?::bigint * interval '1 microsecond'
       ORDER BY seen_at, worker
      """;
}
