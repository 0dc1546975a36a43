package dev.reprise.jdbc;

/**
 * What batches do to tasks. Tasks are locked after everything else for which a batch may wait.
 *
 * <p>As the statements of {@link CommitSql} they leave the planner no choice.
 */
final class TaskSql {
  private TaskSql() {}

  /** Tasks of runs that end are stored only if these have ended. */
  static final String INSERT =
      """
      INSERT INTO tasks (run_key, idx, queue, name, key, priority, state, scheduled_at, visible_at,
                         lease, attempt_limit, wait_until, until)
      SELECT run_key, idx, queue, name, key, priority,
             CASE WHEN visible_at > scheduled_at THEN 'DELAYED' ELSE 'READY' END,
             timestamptz 'epoch' + scheduled_at * interval '1 microsecond',
             timestamptz 'epoch' + visible_at * interval '1 microsecond',
             lease * interval '1 microsecond',
             attempt_limit * interval '1 microsecond',
             timestamptz 'epoch' + wait_until * interval '1 microsecond',
             timestamptz 'epoch' + until * interval '1 microsecond'
        FROM unnest(?::bigint[], ?::int[], ?::text[], ?::text[], ?::text[], ?::int[], ?::bigint[],
                    ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
             AS given (run_key, idx, queue, name, key, priority, scheduled_at, visible_at, lease,
                       attempt_limit, wait_until, until)
       WHERE NOT ?::boolean
          OR (SELECT closed_at IS NOT NULL FROM runs WHERE runs.run_key = given.run_key)
      """;

  /**
   * Starts of which some have tasks, sorted by workflow id. One whose unique key is taken leaves
   * its workflow id behind, which {@link #TAKE_BACK} frees. Answers the keys of those that got
   * their workflow id, and whether they are stored.
   */
  static final String START =
      """
      WITH given AS (
        SELECT *
          FROM unnest(?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::int[], ?::bigint[],
                      ?::bigint[], ?::text[], ?::text[])
               AS given (workflow_id, run_key, run_id, workflow, status, owner, wake_at, started_at,
                         parent, attributes)
      ), asked AS (
        SELECT *
          FROM unnest(?::bigint[], ?::int[], ?::text[], ?::text[], ?::text[], ?::int[], ?::bigint[],
                      ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[],
                      ?::text[], ?::int[], ?::bigint[], ?::int[], ?::text[], ?::bytea[], ?::bytea[],
                      ?::int[])
               AS asked (run_key, idx, queue, name, key, priority, scheduled_at, visible_at, lease,
                         attempt_limit, wait_until, until, unique_key, debounced,
                         start_at, start_type, start_site, start_attributes, start_value,
                         start_checksum)
      ), taken AS (
        INSERT INTO workflows (workflow_id, run_key, open)
        SELECT workflow_id, run_key, true FROM given
            ON CONFLICT (workflow_id) DO NOTHING
        RETURNING workflow_id, run_key
      ), placed AS (
        INSERT INTO tasks (run_key, idx, queue, name, key, priority, state, scheduled_at, visible_at,
                           lease, attempt_limit, wait_until, until, unique_key, debounced,
                           start_at, start_type, start_site, start_attributes, start_value,
                         start_checksum)
        SELECT run_key, idx, queue, name, key, priority,
               CASE WHEN visible_at > scheduled_at THEN 'DELAYED' ELSE 'READY' END,
               timestamptz 'epoch' + scheduled_at * interval '1 microsecond',
               timestamptz 'epoch' + visible_at * interval '1 microsecond',
               lease * interval '1 microsecond',
               attempt_limit * interval '1 microsecond',
               timestamptz 'epoch' + wait_until * interval '1 microsecond',
               timestamptz 'epoch' + until * interval '1 microsecond',
               unique_key, debounced = 1,
               timestamptz 'epoch' + start_at * interval '1 microsecond',
               nullif(start_type, 0), start_site, start_attributes, start_value,
               CASE WHEN start_type <> 0 THEN start_checksum END
          FROM asked JOIN taken USING (run_key)
         ORDER BY queue, unique_key, run_key, idx
            ON CONFLICT (queue, unique_key) WHERE unique_key IS NOT NULL DO NOTHING
        RETURNING run_key, idx
      ), stored AS MATERIALIZED (
        SELECT taken.run_key
          FROM taken
         WHERE NOT EXISTS (
                 SELECT 1
                   FROM asked
                  WHERE asked.run_key = taken.run_key AND asked.unique_key IS NOT NULL
                    AND NOT EXISTS (
                          SELECT 1
                            FROM placed
                           WHERE placed.run_key = asked.run_key AND placed.idx = asked.idx))
      ), opened AS (
        INSERT INTO runs (run_key, run_id, workflow_id, workflow, status, owner, wake_at, started_at,
                          parent, attributes)
        SELECT run_key, run_id::uuid, workflow_id, workflow, status, owner,
               timestamptz 'epoch' + wake_at * interval '1 microsecond',
               timestamptz 'epoch' + started_at * interval '1 microsecond',
               parent, attributes
          FROM given JOIN stored USING (run_key)
      ), recorded AS (
      """
          + EventSql.RECORD
          + """
              JOIN stored USING (run_key)
          )
          SELECT run_key, (SELECT count(*) FROM stored WHERE stored.run_key = taken.run_key) FROM taken
          """;

  /** Workflow ids of starts that were no starts. */
  static final String TAKE_BACK =
      """
      DELETE FROM workflows
       WHERE workflow_id = ANY (?::text[]) AND run_key = ANY (?::bigint[])
         AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.run_key = workflows.run_key)
      """;

  /**
   * Runs that have waited begin, as far as they still wait, with their events. Answers the keys of
   * those that have begun.
   */
  static final String BEGIN =
      """
      WITH waiting AS MATERIALIZED (
        SELECT run_key
          FROM runs
         WHERE run_key = ANY (?::bigint[]) AND status = 'QUEUED'
         ORDER BY run_key
           FOR NO KEY UPDATE
      ), begun AS (
        UPDATE runs
           SET status = 'RUNNING', owner = ?, placed = true,
               started_at = timestamptz 'epoch' + given.wake_at * interval '1 microsecond',
               wake_at = timestamptz 'epoch' + given.wake_at * interval '1 microsecond'
          FROM unnest(?::bigint[], ?::bigint[]) AS given (run_key, wake_at)
          JOIN waiting USING (run_key)
         WHERE runs.run_key = given.run_key
        RETURNING runs.run_key
      ), opened AS (
        UPDATE tasks
           SET state = 'OPEN', hand = NULL, lease_until = NULL, deadline = NULL,
               unique_key = CASE WHEN debounced THEN NULL ELSE unique_key END,
               start_at = NULL, start_type = NULL, start_site = NULL, start_attributes = NULL,
               start_value = NULL, start_checksum = NULL
         WHERE run_key = ANY (ARRAY(SELECT run_key FROM begun)) AND idx = 0
      ), recorded AS (
      """
          + EventSql.RECORD
          + """
              JOIN begun USING (run_key)
          )
          SELECT run_key FROM begun
          """;

  /** So that {@link #CANCEL} waits in the order in which everybody does. */
  static final String LOCK =
      """
      SELECT count(*)
        FROM unnest(?::bigint[], ?::int[]) AS given (run_key, idx)
       CROSS JOIN LATERAL (
               SELECT 1
                 FROM tasks
                WHERE tasks.run_key = given.run_key AND tasks.idx = given.idx
                  FOR UPDATE) AS task
      """;

  /** Of runs that end, only of those that have ended. */
  static final String CANCEL =
      """
      UPDATE tasks
         SET cancelled = true
        FROM unnest(?::bigint[], ?::int[]) AS given (run_key, idx)
       WHERE tasks.run_key = given.run_key AND tasks.idx = given.idx AND NOT tasks.cancelled
         AND (NOT ?::boolean
              OR (SELECT closed_at IS NOT NULL FROM runs WHERE runs.run_key = given.run_key))
      """;

  /** The next run of a workflow takes the place of the last one on its queue. */
  static final String MOVE =
      """
      WITH moved AS (
        UPDATE tasks
           SET run_key = given.next_key, heartbeat = NULL, heartbeat_at = NULL
          FROM unnest(?::bigint[], ?::bigint[]) AS given (run_key, next_key)
         WHERE tasks.run_key = given.run_key AND tasks.idx = 0
           AND EXISTS (SELECT 1 FROM runs WHERE runs.run_key = given.next_key)
        RETURNING tasks.run_key
      )
      UPDATE runs
         SET placed = true
       WHERE run_key = ANY (ARRAY(SELECT run_key FROM moved))
      """;

  /** Runs that have ended leave their queues. */
  static final String FREE =
      """
      DELETE FROM tasks
       WHERE idx = 0
         AND run_key = ANY (ARRAY(
               SELECT run_key
                 FROM runs
                WHERE run_key = ANY (?::bigint[])
                  AND status NOT IN ('RUNNING', 'BLOCKED', 'QUEUED')))
      """;
}
