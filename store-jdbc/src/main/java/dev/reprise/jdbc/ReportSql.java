package dev.reprise.jdbc;

/**
 * How tasks change while or after they were handed out. What may be waited for is locked first, by
 * statements of their own, in the same order as everybody does: workflow ids, then tasks. So the
 * statement that changes something sees it as it will stay.
 */
final class ReportSql {
  private ReportSql() {}

  /** Waits until nobody closes the workflows of these runs. */
  static final String LOCK_DOORS =
      """
      SELECT run_key
        FROM workflows
       WHERE workflow_id = ANY (ARRAY(
               SELECT workflow_id FROM runs WHERE run_key = ANY (?::bigint[])))
         AND open
       ORDER BY workflow_id
         FOR SHARE
      """;

  /** Changes tasks and tells their runs, if these are open. Answers a number for each report. */
  static final String REPORT =
      """
      WITH given AS (
        SELECT *
          FROM unnest(?::bigint[], ?::int[], ?::int[], ?::text[], ?::bigint[], ?::int[], ?::bigint[],
                      ?::bytea[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bytea[],
                      ?::bigint[], ?::int[], ?::int[])
               WITH ORDINALITY
               AS given (run_key, idx, attempt, hand, overdue, change, visible_at,
                         heartbeat, told, kind, name, message, value, accepted_at, checksum, turn,
                         number)
      ), judged AS MATERIALIZED (
        SELECT given.*, task.place,
               CASE WHEN task.place IS NULL THEN 2
                    WHEN task.attempt <> given.attempt THEN 1
                    WHEN given.hand IS NOT NULL
                         AND task.hand IS DISTINCT FROM given.hand::uuid THEN 1
                    WHEN given.overdue IS NULL AND task.state IN ('LEASED', 'EXTERNAL') THEN 0
                    WHEN task.due_at
                         <= timestamptz 'epoch' + given.overdue * interval '1 microsecond' THEN 0
                    ELSE 1
               END AS reply
          FROM given
          LEFT JOIN LATERAL (
                 SELECT ctid AS place, attempt, hand, state, due_at
                   FROM tasks
                  WHERE tasks.run_key = given.run_key AND tasks.idx = given.idx
                 OFFSET 0) AS task ON true
      ), gone AS (
        DELETE FROM tasks
         WHERE ctid = ANY (ARRAY(SELECT place FROM judged WHERE reply = 0 AND change = 0))
      ), changed AS (
        UPDATE tasks
           SET attempt = CASE change WHEN 2 THEN tasks.attempt - 1 ELSE tasks.attempt END,
               state = CASE WHEN change = 3 THEN 'EXTERNAL'
                            WHEN judged.visible_at > ?::bigint THEN 'DELAYED'
                            ELSE 'READY' END,
               visible_at =
                 coalesce(timestamptz 'epoch' + judged.visible_at * interval '1 microsecond',
                          tasks.visible_at),
               hand = CASE change WHEN 3 THEN tasks.hand END, lease_until = NULL,
               deadline = CASE change WHEN 3 THEN tasks.deadline END,
               heartbeat = coalesce(judged.heartbeat, tasks.heartbeat)
          FROM judged
         WHERE tasks.ctid = judged.place AND reply = 0 AND change > 0
      ), target AS MATERIALIZED (
        SELECT asked.run_key, run.workflow
          FROM unnest(?::bigint[]) AS asked (run_key)
         CROSS JOIN LATERAL (
                 SELECT workflow_id, workflow
                   FROM runs
                  WHERE runs.run_key = asked.run_key
                 OFFSET 0) AS run
         CROSS JOIN LATERAL (
                 SELECT 1
                   FROM workflows
                  WHERE workflows.workflow_id = run.workflow_id
                    AND workflows.run_key = asked.run_key AND workflows.open
                 OFFSET 0) AS door
      ), told AS (
        INSERT INTO inbox (run_key, workflow, kind, name, message, value, accepted_at, checksum)
        SELECT target.run_key, target.workflow, kind, name, message, value,
               timestamptz 'epoch' + accepted_at * interval '1 microsecond', checksum
          FROM judged JOIN target ON target.run_key = judged.told
         WHERE reply = 0
         ORDER BY turn
            ON CONFLICT (run_key, message, kind, name) DO NOTHING
      )
      SELECT reply FROM judged ORDER BY number
      """;

  /** Answers the numbers of those that are held, until when, and whether nobody wants them. */
  static final String HEARTBEAT =
      """
      WITH given AS (
        SELECT *
          FROM unnest(?::bigint[], ?::int[], ?::int[], ?::text[], ?::bytea[]) WITH ORDINALITY
               AS given (run_key, idx, attempt, hand, details, number)
      ), held AS MATERIALIZED (
        SELECT given.number, given.details, task.place
          FROM given
         CROSS JOIN LATERAL (
                 SELECT ctid AS place
                   FROM tasks
                  WHERE tasks.run_key = given.run_key AND tasks.idx = given.idx
                    AND tasks.attempt = given.attempt AND tasks.state = 'LEASED'
                    AND (given.hand IS NULL OR tasks.hand = given.hand::uuid)
                 OFFSET 0) AS task
      )
      UPDATE tasks
         SET lease_until = timestamptz 'epoch' + ?::bigint * interval '1 microsecond' + lease,
             heartbeat_at = timestamptz 'epoch' + ?::bigint * interval '1 microsecond',
             heartbeat = coalesce(held.details, tasks.heartbeat)
        FROM held
       WHERE tasks.ctid = held.place
      RETURNING held.number, tasks.lease_until, tasks.cancelled
      """;
}
