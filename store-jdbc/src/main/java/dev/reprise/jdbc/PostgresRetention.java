package dev.reprise.jdbc;

import java.time.Instant;

/**
 * Deletes old runs, in one statement and so in one transaction.
 *
 * <p>It needs no fence: nobody writes to a closed run any more, so it does not matter which node
 * deletes it, nor whether that node is fenced. It waits for nobody. What another node deletes at
 * the same moment, and a workflow id that somebody else has locked, is passed by.
 */
final class PostgresRetention {
  private PostgresRetention() {}

  /**
   * A workflow id goes with the run that it stands for, and not with one that was continued. A run
   * stays as long as its activities need it.
   */
  static final String DELETE =
      """
      WITH old AS MATERIALIZED (
        SELECT run_key, workflow_id
          FROM runs
         WHERE closed_at IS NOT NULL
           AND closed_at < timestamptz 'epoch' + ? * interval '1 microsecond'
           AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.run_key = runs.run_key)
         ORDER BY closed_at, run_key
         LIMIT ?
           FOR UPDATE SKIP LOCKED
      ), door AS MATERIALIZED (
        SELECT workflow_id, run_key
          FROM workflows
         WHERE workflow_id = ANY (ARRAY(SELECT workflow_id FROM old))
           AND run_key = ANY (ARRAY(SELECT run_key FROM old))
           AND NOT open
           FOR UPDATE SKIP LOCKED
      ), gone AS MATERIALIZED (
        SELECT run_key, workflow_id
          FROM old
         WHERE run_key IN (SELECT run_key FROM door)
            OR run_key IS DISTINCT FROM (
                 SELECT workflows.run_key
                   FROM workflows
                  WHERE workflows.workflow_id = old.workflow_id)
      ), ids AS (
        DELETE FROM workflows WHERE workflow_id = ANY (ARRAY(SELECT workflow_id FROM door))
      ), inputs AS (
        DELETE FROM inbox WHERE run_key = ANY (ARRAY(SELECT run_key FROM gone))
      ), histories AS (
        DELETE FROM events WHERE run_key = ANY (ARRAY(SELECT run_key FROM gone))
      ), deleted AS (
        DELETE FROM runs WHERE run_key = ANY (ARRAY(SELECT run_key FROM gone)) RETURNING 1
      )
      SELECT count(*) FROM deleted
      """;

  static int deleteClosed(Session session, Instant before, int limit) {
    return session.first(DELETE, columns -> columns.getInt(1), before, limit).orElseThrow();
  }
}
