package dev.reprise.jdbc;

/** What {@link PostgresAudit} looks for in the tasks of a slice of runs. */
final class TaskAudit {
  private TaskAudit() {}

  static final String TASKS_ALONE =
      """
      SELECT run_key, NULL, idx
        FROM tasks
       WHERE run_key BETWEEN ? AND ?
         AND idx > 0
         AND NOT EXISTS (
               SELECT 1
                 FROM events
                WHERE events.run_key = tasks.run_key AND events.idx = tasks.idx)
       LIMIT ?
      """;

  /** A run is on a queue as long as it waits to begin, and has a place there until it closes. */
  static final String TASKS_LEFT =
      """
      SELECT tasks.run_key, runs.workflow_id, coalesce(runs.status, 'not there')
        FROM tasks
        LEFT JOIN runs ON runs.run_key = tasks.run_key
       WHERE tasks.run_key BETWEEN ? AND ?
         AND tasks.idx = 0
         AND (runs.run_key IS NULL
              OR runs.closed_at IS NOT NULL
              OR (runs.status = 'QUEUED') = (tasks.state = 'OPEN')
              OR (tasks.state = 'OPEN') <> (runs.placed IS TRUE))
       LIMIT ?
      """;

  static final String WAITING_FOR_NOTHING =
      """
      SELECT run_key, workflow_id, status
        FROM runs
       WHERE run_key BETWEEN ? AND ?
         AND (status = 'QUEUED' OR (placed AND closed_at IS NULL))
         AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.run_key = runs.run_key AND tasks.idx = 0)
       LIMIT ?
      """;
}
