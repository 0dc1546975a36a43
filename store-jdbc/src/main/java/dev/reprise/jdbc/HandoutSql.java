package dev.reprise.jdbc;

/**
 * How tasks are handed out. Nobody waits for a task that somebody else has locked: it is passed by.
 *
 * <p>A task that is locked is found again by its place in the table, which leaves the planner no
 * choice and costs least.
 */
final class HandoutSql {
  /** So many become ready at once, when their time has come. */
  static final int PROMOTED = 500;

  private HandoutSql() {}

  /** Leases what was chosen. */
  private static final String LEASE =
      """
      taken AS (
        UPDATE tasks
           SET state = 'LEASED', attempt = attempt + 1, hand = ?, worker = ?,
               lease_until = timestamptz 'epoch' + ?::bigint * interval '1 microsecond' + lease,
               deadline =
                 timestamptz 'epoch' + ?::bigint * interval '1 microsecond' + attempt_limit,
               retry = nullif((?::text[])[array_position(?::text[], name)], '')
         WHERE ctid = ANY (ARRAY(SELECT place FROM chosen))
        RETURNING tasks.*
      )\
      """;

  /** With the event that asked for it, and whose it is. */
  private static final String HANDOUTS =
      """
      SELECT handed.run_key, handed.idx, handed.attempt, handed.lease_until,
             least(handed.deadline, handed.until), handed.heartbeat, run.workflow_id, run.run_id,
             coalesce(event.at, handed.start_at), coalesce(event.type, handed.start_type),
             coalesce(event.site, handed.start_site),
             coalesce(event.attributes, handed.start_attributes),
             coalesce(event.value, handed.start_value),
             CASE handed.idx WHEN 0 THEN handed.start_checksum ELSE event.checksum END
        FROM handed
        LEFT JOIN LATERAL (
               SELECT workflow_id, run_id
                 FROM runs
                WHERE runs.run_key = handed.run_key
               OFFSET 0) AS run ON true
        LEFT JOIN LATERAL (
               SELECT at, type, site, attributes, value, checksum
                 FROM events
                WHERE events.run_key = handed.run_key AND events.idx = handed.idx
               OFFSET 0) AS event ON true
       ORDER BY handed.priority, handed.visible_at, handed.run_key, handed.idx
      """;

  /** What a call took. */
  private static final String BEFORE =
      "SELECT tasks.* FROM tasks WHERE queue = ? AND state = 'LEASED' AND hand = ?";

  /**
   * Takes from a queue without limits that need counting. What has become ready is so also if there
   * is no room for it: else the queue would say again and again that there is more to take. If the
   * queue has some, nothing is taken, and there is a row without a run. What this call took before
   * is in the answer instead.
   */
  static final String TAKE =
      """
      WITH before AS MATERIALIZED (
        %s
      ), control AS MATERIALIZED (
        SELECT counted, per_worker FROM queues WHERE queue = ?
      ), room AS MATERIALIZED (
        SELECT CASE WHEN goes_on
                    THEN greatest(0, least(?::int, (SELECT per_worker - ?::int FROM control)))
                    ELSE 0 END AS room,
               CASE WHEN goes_on THEN %d ELSE 0 END AS promoted
          FROM (SELECT NOT EXISTS (SELECT 1 FROM before)
                       AND NOT EXISTS (SELECT 1 FROM control WHERE counted) AS goes_on) AS asked
      ), ready AS MATERIALIZED (
        SELECT ctid AS place, priority, visible_at, run_key, idx
          FROM tasks
         WHERE queue = ? AND state = 'READY' AND name = ANY (?::text[]) AND NOT cancelled
         ORDER BY priority, visible_at, run_key, idx
         LIMIT (SELECT room FROM room)
           FOR UPDATE SKIP LOCKED
      ), delayed AS MATERIALIZED (
        SELECT ctid AS place, priority, visible_at, run_key, idx,
               name = ANY (?::text[]) AND NOT cancelled AS wanted
          FROM tasks
         WHERE queue = ? AND state = 'DELAYED'
           AND visible_at <= timestamptz 'epoch' + ?::bigint * interval '1 microsecond'
         ORDER BY visible_at
         LIMIT (SELECT promoted FROM room)
           FOR UPDATE SKIP LOCKED
      ), chosen AS MATERIALIZED (
        SELECT place
          FROM (SELECT place, priority, visible_at, run_key, idx FROM ready
                UNION ALL
                SELECT place, priority, visible_at, run_key, idx FROM delayed WHERE wanted) AS found
         ORDER BY priority, visible_at, run_key, idx
         LIMIT (SELECT room FROM room)
      ), promoted AS (
        UPDATE tasks
           SET state = 'READY'
         WHERE ctid = ANY (ARRAY(SELECT place FROM delayed EXCEPT SELECT place FROM chosen))
      ), %s, handed AS (
        SELECT taken.* FROM taken
        UNION ALL
        SELECT before.* FROM before
        UNION ALL
        SELECT nothing.*
          FROM control LEFT JOIN before AS nothing ON false
         WHERE counted
      )
      %s
      """
          .formatted(BEFORE, PROMOTED, LEASE, HANDOUTS);

  // ---- under limits -----------------------------------------------------------------------------

  /** With the time at which the row was locked, not that at which the wait for it began. */
  static final String LOCK_QUEUE =
      """
      WITH locked AS MATERIALIZED (
        SELECT limits, flow FROM queues WHERE queue = ? FOR NO KEY UPDATE
      )
      SELECT limits, flow, clock_timestamp() FROM locked
      """;

  static final String SET_FLOW = "UPDATE queues SET flow = ? WHERE queue = ?";

  static final String HANDED =
      """
      WITH handed AS (
        %s
      )
      %s
      """
          .formatted(BEFORE, HANDOUTS);

  static final String PROMOTE =
      """
      UPDATE tasks
         SET state = 'READY'
       WHERE ctid = ANY (ARRAY(
               SELECT ctid
                 FROM tasks
                WHERE queue = ? AND state = 'DELAYED'
                  AND visible_at <= timestamptz 'epoch' + ?::bigint * interval '1 microsecond'
                ORDER BY visible_at
                LIMIT ?
                  FOR UPDATE SKIP LOCKED))
      """;

  /** What counts for the limits of a queue, by key. */
  static final String RUNNING =
      """
      SELECT key, count(*)
        FROM tasks
       WHERE queue = ? AND state IN ('LEASED', 'OPEN')
       GROUP BY key
      """;

  /** Goes from key to key in the index, however much of one is ready. */
  static final String GROUPS =
      """
      WITH RECURSIVE lines AS (
        (SELECT priority, key
           FROM tasks
          WHERE queue = ? AND state = 'READY'
          ORDER BY priority, key
          LIMIT 1)
        UNION ALL
        SELECT next.priority, next.key
          FROM lines
         CROSS JOIN LATERAL (
                 SELECT priority, key
                   FROM tasks
                  WHERE queue = ? AND state = 'READY'
                    AND (priority, key) > (lines.priority, lines.key)
                  ORDER BY priority, key
                  LIMIT 1) AS next
      )
      SELECT found.priority, found.key, line.size, line.oldest
        FROM (SELECT priority, key FROM lines LIMIT ?) AS found
       CROSS JOIN LATERAL (
               SELECT count(*) AS size, min(visible_at) AS oldest
                 FROM (SELECT visible_at
                         FROM tasks
                        WHERE queue = ? AND state = 'READY' AND priority = found.priority
                          AND key = found.key AND name = ANY (?::text[]) AND NOT cancelled
                        ORDER BY visible_at, run_key, idx
                        LIMIT ?) AS first) AS line
       WHERE line.size > 0
       ORDER BY found.priority, line.oldest
      """;

  /** So many of each priority and key. */
  static final String TAKE_IN_TURNS =
      """
      WITH chosen AS MATERIALIZED (
        SELECT line.place
          FROM unnest(?::int[], ?::text[], ?::int[]) AS pick (priority, key, size)
         CROSS JOIN LATERAL (
                 SELECT ctid AS place
                   FROM tasks
                  WHERE queue = ? AND state = 'READY' AND priority = pick.priority
                    AND key = pick.key AND name = ANY (?::text[]) AND NOT cancelled
                  ORDER BY visible_at, run_key, idx
                  LIMIT pick.size
                    FOR UPDATE SKIP LOCKED) AS line
      ), %s, handed AS (
        SELECT taken.* FROM taken
      )
      %s
      """
          .formatted(LEASE, HANDOUTS);

  /** So many, the first ones. */
  static final String TAKE_FIRST =
      """
      WITH chosen AS MATERIALIZED (
        SELECT ctid AS place
          FROM tasks
         WHERE queue = ? AND state = 'READY' AND name = ANY (?::text[]) AND NOT cancelled
         ORDER BY priority, visible_at, run_key, idx
         LIMIT ?
           FOR UPDATE SKIP LOCKED
      ), %s, handed AS (
        SELECT taken.* FROM taken
      )
      %s
      """
          .formatted(LEASE, HANDOUTS);
}
