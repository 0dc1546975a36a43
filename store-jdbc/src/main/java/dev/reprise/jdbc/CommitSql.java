package dev.reprise.jdbc;

/**
 * The statements of a batch, in the order in which they are run. All nodes have the same order, and
 * none waits for another once it has passed the accepts: so they never wait for each other in a
 * circle.
 *
 * <p>They are planned once, when the tables may be small, and used when they are not: so they leave
 * the planner no choice. {@code OFFSET 0} makes it look up one row after the other, and an array of
 * keys goes through the index.
 *
 * <p>Answers are numbers and times only, see {@link Session#pipeline}.
 */
final class CommitSql {
  private CommitSql() {}

  static final String FENCE = "SELECT reprise_fence(?, ?, ?), pg_backend_pid()";

  /**
   * In front of starts that use an id again: frees those of closed runs that no other run has taken
   * meanwhile. To whom an id goes then is decided as always, by who inserts it first.
   */
  static final String FREE_IDS =
      """
      DELETE FROM workflows
       WHERE workflow_id = ANY (ARRAY(
               SELECT workflow_id
                 FROM workflows
                WHERE workflow_id = ANY (?::text[])
                  AND run_key = ANY (?::bigint[])
                  AND NOT open
                ORDER BY workflow_id
                  FOR UPDATE))
      """;

  /** The only start of a batch, without arrays. Fails if the workflow exists. */
  static final String TAKE_ID =
      "INSERT INTO workflows (workflow_id, run_key, open) VALUES (?::text, ?::bigint, true)";

  /** Its run. */
  static final String OPEN_RUN =
      """
      INSERT INTO runs (run_key, run_id, workflow_id, workflow, status, owner, wake_at, started_at)
      VALUES (?::bigint, ?::uuid, ?::text, ?::text, 'RUNNING', ?::int,
              timestamptz 'epoch' + ?::bigint * interval '1 microsecond',
              timestamptz 'epoch' + ?::bigint * interval '1 microsecond')
      """;

  /** The door of the only run that closes. As {@link EndingSql#CLOSE_DOORS} it waits for nobody. */
  static final String CLOSE_DOOR =
      """
      UPDATE workflows
         SET open = false
       WHERE workflow_id = (
               SELECT workflow_id
                 FROM workflows
                WHERE workflow_id = (SELECT workflow_id FROM runs WHERE run_key = ?)
                  FOR NO KEY UPDATE SKIP LOCKED)
      """;

  /** The same as {@link EndingSql#CLOSE_AT_ONCE} for one run. */
  static final String CLOSE_ONE =
      """
      UPDATE runs
         SET status = ?::text, owner = 0, crashes = 0, wake_at = NULL, blocked_by = NULL,
             closed_at = timestamptz 'epoch' + ?::bigint * interval '1 microsecond'
       WHERE run_key = ?
         AND CASE
               WHEN closed_at IS NULL
                AND NOT (SELECT open FROM workflows WHERE workflows.workflow_id = runs.workflow_id)
                AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.run_key = runs.run_key OFFSET 0)
               THEN true
               ELSE reprise_not_now(run_key)
             END
      """;

  /**
   * Sorted by workflow id. Fails if one of the workflows exists, which is seldom: to go on without
   * it, as {@link #START} does, takes longer.
   */
  static final String TAKE_IDS =
      """
      INSERT INTO workflows (workflow_id, run_key, open)
      SELECT unnest(?::text[]), unnest(?::bigint[]), true
      """;

  /** Their runs, whose events are recorded with all others. */
  static final String OPEN_RUNS =
      """
      INSERT INTO runs (run_key, run_id, workflow_id, workflow, status, owner, wake_at, started_at,
                        parent, attributes)
      SELECT run_key, run_id::uuid, workflow_id, workflow, 'RUNNING', owner,
             timestamptz 'epoch' + wake_at * interval '1 microsecond',
             timestamptz 'epoch' + started_at * interval '1 microsecond',
             parent, attributes
        FROM (SELECT unnest(?::text[]) AS workflow_id, unnest(?::bigint[]) AS run_key,
                     unnest(?::text[]) AS run_id, unnest(?::text[]) AS workflow,
                     unnest(?::int[]) AS owner, unnest(?::bigint[]) AS wake_at,
                     unnest(?::bigint[]) AS started_at, unnest(?::text[]) AS parent,
                     unnest(?::text[]) AS attributes) AS given
      """;

  /** Sorted by workflow id. Answers the keys of those that are stored. */
  static final String START =
      """
      WITH given AS (
        SELECT unnest(?::text[]) AS workflow_id, unnest(?::bigint[]) AS run_key,
               unnest(?::text[]) AS run_id, unnest(?::text[]) AS workflow, unnest(?::int[]) AS owner,
               unnest(?::bigint[]) AS wake_at, unnest(?::bigint[]) AS started_at,
               unnest(?::text[]) AS parent, unnest(?::text[]) AS attributes
      ), taken AS (
        INSERT INTO workflows (workflow_id, run_key, open)
        SELECT workflow_id, run_key, true FROM given
            ON CONFLICT (workflow_id) DO NOTHING
        RETURNING workflow_id, run_key
      ), opened AS (
        INSERT INTO runs (run_key, run_id, workflow_id, workflow, status, owner, wake_at, started_at,
                          parent, attributes)
        SELECT given.run_key, run_id::uuid, workflow_id, workflow, 'RUNNING', owner,
               timestamptz 'epoch' + wake_at * interval '1 microsecond',
               timestamptz 'epoch' + started_at * interval '1 microsecond',
               parent, attributes
          FROM given JOIN taken USING (workflow_id)
      ), recorded AS (
      """
          + EventSql.RECORD
          + """
              JOIN taken USING (run_key)
          )
          SELECT run_key FROM taken
          """;

  /**
   * The lock conflicts with closing, and waits for it: then the condition is looked at once more.
   * The key must be that of the locked row, which may have gone on with another run meanwhile.
   * Answers the keys of the runs that are open.
   */
  static final String ACCEPT =
      """
      WITH given AS (
        SELECT *
          FROM unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::bigint[],
                      ?::int[])
               WITH ORDINALITY
               AS given (run_key, kind, name, message, value, accepted_at, checksum, number)
      ), target AS (
        SELECT workflows.run_key, run.workflow
          FROM workflows
         CROSS JOIN LATERAL (
                 SELECT workflow
                   FROM runs
                  WHERE runs.run_key = workflows.run_key
                 OFFSET 0) AS run
         WHERE workflows.workflow_id = ANY (ARRAY(
                 SELECT workflow_id FROM runs WHERE run_key = ANY (?::bigint[])))
           AND workflows.open
         ORDER BY workflows.workflow_id
           FOR SHARE OF workflows
      ), stored AS (
        INSERT INTO inbox (run_key, workflow, kind, name, message, value, accepted_at, checksum)
        SELECT run_key, workflow, kind, name, message, value,
               timestamptz 'epoch' + accepted_at * interval '1 microsecond', checksum
          FROM given JOIN target USING (run_key)
         ORDER BY number
            ON CONFLICT (run_key, message, kind, name) DO NOTHING
      )
      SELECT run_key FROM target
      """;

  /**
   * Waits until nobody closes these workflows. A statement of its own: only the next one sees the
   * run with which a workflow has gone on meanwhile.
   */
  static final String LOCK_TARGETS =
      """
      SELECT run_key
        FROM workflows
       WHERE workflow_id = ANY (?::text[]) AND open
       ORDER BY workflow_id
         FOR SHARE
      """;

  /**
   * Stores inputs that runs send to others, as far as these are open. Those of a run that ends are
   * stored only if it has ended. What it may store it has locked before, and it waits for nothing.
   */
  static final String DELIVER =
      """
      WITH given AS (
        SELECT *
          FROM unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bytea[],
                      ?::bigint[], ?::int[])
               WITH ORDINALITY
               AS given (ending, workflow_id, run_id, kind, name, message, value, sent_at, checksum,
                         number)
      ), target AS MATERIALIZED (
        SELECT workflows.workflow_id, workflows.run_key, run.run_key AS found, run.run_id, run.workflow
          FROM workflows
         CROSS JOIN LATERAL (
                 SELECT run_key, run_id, workflow
                   FROM runs
                  WHERE runs.run_key = workflows.run_key
                 OFFSET 0) AS run
         WHERE workflows.workflow_id = ANY (?::text[]) AND workflows.open
           FOR SHARE OF workflows SKIP LOCKED
      )
      INSERT INTO inbox (run_key, workflow, kind, name, message, value, accepted_at, checksum)
      SELECT target.run_key, target.workflow, kind, name, message, value,
             timestamptz 'epoch' + sent_at * interval '1 microsecond', checksum
        FROM given JOIN target USING (workflow_id)
       WHERE target.run_key = target.found
         AND (given.run_id IS NULL OR given.run_id::uuid = target.run_id)
         AND (given.ending IS NULL
              OR (SELECT closed_at IS NOT NULL FROM runs WHERE run_key = given.ending))
       ORDER BY number
          ON CONFLICT (run_key, message, kind, name) DO NOTHING
      """;

  static final String CONSUME =
      """
      WITH gone AS (
        DELETE FROM inbox
         USING unnest(?::bigint[], ?::bigint[]) AS given (input_id, run_key)
         WHERE inbox.input_id = given.input_id AND inbox.run_key = given.run_key
        RETURNING 1
      )
      SELECT reprise_expect(count(*), ?) FROM gone
      """;

  static final String SET_WAKE_AT =
      """
      UPDATE runs
         SET wake_at = timestamptz 'epoch' + given.wake_at * interval '1 microsecond'
        FROM unnest(?::bigint[], ?::bigint[]) AS given (run_key, wake_at)
       WHERE runs.run_key = given.run_key
      """;

  static final String RELEASE =
      """
      UPDATE runs
         SET owner = 0, crashes = 0,
             wake_at = timestamptz 'epoch' + given.wake_at * interval '1 microsecond'
        FROM unnest(?::bigint[], ?::bigint[]) AS given (run_key, wake_at)
       WHERE runs.run_key = given.run_key
      """;

  static final String BLOCK =
      """
      UPDATE runs
         SET status = 'BLOCKED', owner = 0, crashes = 0, wake_at = NULL,
             blocked_by = given.blocked_by
        FROM unnest(?::bigint[], ?::text[]) AS given (run_key, blocked_by)
       WHERE runs.run_key = given.run_key
      """;

  static final String UNBLOCK =
      """
      UPDATE runs
         SET status = 'RUNNING', blocked_by = NULL,
             wake_at = timestamptz 'epoch' + given.wake_at * interval '1 microsecond'
        FROM unnest(?::bigint[], ?::bigint[]) AS given (run_key, wake_at)
       WHERE runs.run_key = given.run_key
      """;

  static final String COMPENSATE =
      """
      UPDATE runs
         SET status = 'RUNNING', compensating = true, blocked_by = NULL,
             wake_at = timestamptz 'epoch' + given.wake_at * interval '1 microsecond'
        FROM unnest(?::bigint[], ?::bigint[]) AS given (run_key, wake_at)
       WHERE runs.run_key = given.run_key
      """;

  /** Of runs that end, only of those that have ended. */
  static final String SET_ATTRIBUTES =
      """
      UPDATE runs
         SET attributes = given.attributes
        FROM unnest(?::bigint[], ?::text[]) AS given (run_key, attributes)
       WHERE runs.run_key = given.run_key
         AND (NOT ?::boolean OR runs.closed_at IS NOT NULL)
      """;

  /** A single event, without arrays. */
  static final String RECORD_ONE =
      """
      INSERT INTO events (run_key, idx, type, at, site, attributes, value, checksum)
      VALUES (?::bigint, ?::int, ?::int, timestamptz 'epoch' + ?::bigint * interval '1 microsecond',
              ?::text, ?::bytea, ?::bytea, ?::int)
      """;
}
