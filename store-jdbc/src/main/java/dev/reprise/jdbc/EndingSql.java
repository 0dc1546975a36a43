package dev.reprise.jdbc;

/**
 * The statements with which runs end, in the order in which they are run: close the doors, end the
 * runs whose doors are closed, and open the others again. None of them waits for anybody.
 *
 * <p>As those of {@link CommitSql} they leave the planner no choice.
 */
final class EndingSql {
  private EndingSql() {}

  /** A sender that is in between is not waited for: then the run does not close this time. */
  static final String CLOSE_DOORS =
      """
      UPDATE workflows
         SET open = false
       WHERE workflow_id = ANY (ARRAY(
               SELECT workflow_id
                 FROM workflows
                WHERE workflow_id = ANY (ARRAY(
                        SELECT workflow_id FROM runs WHERE run_key = ANY (?::bigint[])))
                  FOR NO KEY UPDATE SKIP LOCKED))
      """;

  /**
   * The same for runs of which some send inputs to others as they end. Their workflows must not be
   * closed meanwhile, and nobody who closes one is waited for either: then the sender does not
   * close this time. So two that close and send to each other never wait in a circle.
   */
  static final String CLOSE_DOORS_REACHING =
      """
      WITH sent AS (
        SELECT * FROM unnest(?::bigint[], ?::text[]) AS sent (run_key, workflow_id)
      ), reached AS MATERIALIZED (
        SELECT workflow_id
          FROM workflows
         WHERE workflow_id = ANY (?::text[])
           FOR SHARE SKIP LOCKED
      ), missed AS MATERIALIZED (
        SELECT workflow_id
          FROM workflows
         WHERE workflow_id = ANY (?::text[]) AND open
           AND workflow_id <> ALL (ARRAY(SELECT workflow_id FROM reached))
      )
      UPDATE workflows
         SET open = false
       WHERE workflow_id = ANY (ARRAY(
               SELECT workflow_id
                 FROM workflows
                WHERE workflow_id = ANY (ARRAY(
                        SELECT workflow_id
                          FROM runs
                         WHERE run_key = ANY (?::bigint[])
                           AND run_key <> ALL (ARRAY(
                                 SELECT sent.run_key FROM sent JOIN missed USING (workflow_id)))))
                  FOR NO KEY UPDATE SKIP LOCKED))
      """;

  /**
   * A later statement sees more than the one before: here all inputs that came before the door was
   * closed. Answers the keys of the runs that are closed.
   */
  static final String CLOSE =
      """
      WITH given AS (
        SELECT *
          FROM unnest(?::bigint[], ?::text[], ?::bigint[]) AS given (run_key, status, closed_at)
      ), consumed AS (
        SELECT * FROM unnest(?::bigint[], ?::bigint[]) AS consumed (input_id, run_key)
      ), closing AS (
        SELECT given.run_key, given.status, given.closed_at
          FROM given
         CROSS JOIN LATERAL (
                 SELECT workflow_id, status
                   FROM runs
                  WHERE run_key = given.run_key
                 OFFSET 0) AS run
         CROSS JOIN LATERAL (
                 SELECT open
                   FROM workflows
                  WHERE workflow_id = run.workflow_id
                 OFFSET 0) AS door
         CROSS JOIN LATERAL (
                 SELECT count(*) AS inputs
                   FROM inbox
                  WHERE inbox.run_key = given.run_key
                    AND NOT EXISTS (
                          SELECT 1
                            FROM consumed
                           WHERE consumed.input_id = inbox.input_id
                             AND consumed.run_key = given.run_key)) AS waiting
         WHERE NOT door.open AND run.status IN ('RUNNING', 'BLOCKED', 'QUEUED')
           AND waiting.inputs = 0
      ), gone AS (
        DELETE FROM inbox
         USING consumed JOIN closing USING (run_key)
         WHERE inbox.input_id = consumed.input_id AND inbox.run_key = consumed.run_key
        RETURNING 1
      ), closed AS (
        UPDATE runs
           SET status = closing.status, owner = 0, crashes = 0, wake_at = NULL, blocked_by = NULL,
               closed_at = timestamptz 'epoch' + closing.closed_at * interval '1 microsecond'
          FROM closing
         WHERE runs.run_key = closing.run_key
      ), recorded AS (
      """
          + EventSql.RECORD
          + """
              JOIN closing USING (run_key)
          )
          SELECT run_key,
                 reprise_expect((SELECT count(*) FROM gone),
                                (SELECT count(*) FROM consumed JOIN closing USING (run_key)))
            FROM closing
          """;

  /**
   * The same for runs that take in no inputs with their end, which are nearly all, in less time.
   * Opens the doors of the others again. That a run is open is asked by {@code closed_at}, for
   * which there is no index to choose.
   */
  static final String CLOSE_QUIETLY =
      """
      WITH closed AS (
        UPDATE runs
           SET status = given.status, owner = 0, crashes = 0, wake_at = NULL, blocked_by = NULL,
               closed_at = timestamptz 'epoch' + given.closed_at * interval '1 microsecond'
          FROM (SELECT unnest(?::bigint[]) AS run_key, unnest(?::text[]) AS status,
                       unnest(?::bigint[]) AS closed_at) AS given
         WHERE runs.run_key = given.run_key AND runs.closed_at IS NULL
           AND NOT (SELECT open FROM workflows WHERE workflows.workflow_id = runs.workflow_id)
           AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.run_key = runs.run_key OFFSET 0)
        RETURNING runs.run_key
      ), recorded AS (
      """
          + EventSql.RECORD
          + """
              JOIN closed USING (run_key)
          ), opened AS (
            UPDATE workflows
               SET open = true
             WHERE NOT open
               AND (SELECT count(*) FROM closed) < ?
               AND workflow_id = ANY (ARRAY(
                     SELECT workflow_id
                       FROM runs
                      WHERE run_key = ANY (?::bigint[])
                        AND run_key NOT IN (SELECT run_key FROM closed)))
          )
          SELECT run_key FROM closed
          """;

  /**
   * The same again if all runs can end, which is nearly always: fails if one of them cannot. Their
   * events are recorded with all others.
   */
  static final String CLOSE_AT_ONCE =
      """
      UPDATE runs
         SET status = given.status, owner = 0, crashes = 0, wake_at = NULL, blocked_by = NULL,
             closed_at = timestamptz 'epoch' + given.closed_at * interval '1 microsecond'
        FROM (SELECT unnest(?::bigint[]) AS run_key, unnest(?::text[]) AS status,
                     unnest(?::bigint[]) AS closed_at) AS given
       WHERE runs.run_key = given.run_key
         AND CASE
               WHEN runs.closed_at IS NULL
                AND NOT (SELECT open FROM workflows WHERE workflows.workflow_id = runs.workflow_id)
                AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.run_key = runs.run_key OFFSET 0)
               THEN true
               ELSE reprise_not_now(runs.run_key)
             END
      """;

  /**
   * The workflow goes on with a new run, which gets the inputs that wait, and its door is open
   * again. Answers the keys of the runs that are continued.
   */
  static final String CONTINUE =
      """
      WITH given AS (
        SELECT *
          FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::int[],
                      ?::bigint[], ?::bigint[], ?::text[], ?::text[])
               AS given (run_key, closed_at, next_key, run_id, workflow, owner,
                         wake_at, started_at, parent, attributes)
      ), consumed AS (
        SELECT * FROM unnest(?::bigint[], ?::bigint[]) AS consumed (input_id, run_key)
      ), continuing AS MATERIALIZED (
        SELECT given.*, run.workflow_id
          FROM given
         CROSS JOIN LATERAL (
                 SELECT workflow_id, status
                   FROM runs
                  WHERE run_key = given.run_key
                 OFFSET 0) AS run
         CROSS JOIN LATERAL (
                 SELECT open
                   FROM workflows
                  WHERE workflow_id = run.workflow_id
                 OFFSET 0) AS door
         WHERE NOT door.open AND run.status = 'RUNNING'
      ), gone AS (
        DELETE FROM inbox
         USING consumed JOIN continuing USING (run_key)
         WHERE inbox.input_id = consumed.input_id AND inbox.run_key = consumed.run_key
        RETURNING 1
      ), carried AS (
        UPDATE inbox
           SET run_key = continuing.next_key, workflow = continuing.workflow
          FROM continuing
         WHERE inbox.run_key = continuing.run_key
           AND inbox.input_id <> ALL (ARRAY(SELECT input_id FROM consumed))
      ), continued AS (
        UPDATE runs
           SET status = 'CONTINUED', owner = 0, crashes = 0, wake_at = NULL,
               closed_at = timestamptz 'epoch' + continuing.closed_at * interval '1 microsecond'
          FROM continuing
         WHERE runs.run_key = continuing.run_key
      ), opened AS (
        INSERT INTO runs (run_key, run_id, workflow_id, workflow, status, owner, wake_at, started_at,
                          parent, attributes)
        SELECT next_key, run_id::uuid, workflow_id, workflow, 'RUNNING', owner,
               timestamptz 'epoch' + wake_at * interval '1 microsecond',
               timestamptz 'epoch' + started_at * interval '1 microsecond',
               parent, attributes
          FROM continuing
      ), pointed AS (
        UPDATE workflows
           SET run_key = continuing.next_key, open = true
          FROM continuing
         WHERE workflows.workflow_id = continuing.workflow_id
      ), recorded AS (
      """
          + EventSql.RECORD
          + """
              JOIN (SELECT run_key FROM continuing
                    UNION ALL
                    SELECT next_key FROM continuing) AS written USING (run_key)
          )
          SELECT run_key,
                 reprise_expect((SELECT count(*) FROM gone),
                                (SELECT count(*) FROM consumed JOIN continuing USING (run_key)))
            FROM continuing
          """;

  static final String OPEN_DOORS =
      """
      UPDATE workflows
         SET open = true
       WHERE NOT open
         AND workflow_id = ANY (ARRAY(
               SELECT workflow_id
                 FROM runs
                WHERE run_key = ANY (?::bigint[]) AND closed_at IS NULL))
      """;
}
