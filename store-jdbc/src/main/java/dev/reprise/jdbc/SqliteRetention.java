package dev.reprise.jdbc;

import java.time.Instant;
import java.util.List;

/**
 * Deletes old runs. It needs no fence: nobody writes to a closed run any more, so it does not
 * matter which node deletes it.
 */
record SqliteRetention(Jdbc jdbc) {

  /** What is on queues is not done without the run that asked for it. */
  static final String OLD =
      """
      SELECT run_key
        FROM runs
       WHERE closed_at IS NOT NULL AND closed_at < ?
         AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.run_key = runs.run_key)
       ORDER BY closed_at, run_key
       LIMIT ?
      """;

  /** Keys of deleted runs are not given out again. */
  static final String KEEP_KEY = "UPDATE run_keys SET next = max(next, ?1 + 1)";

  static final String DELETE_EVENTS = "DELETE FROM events WHERE run_key = ?";
  static final String DELETE_INPUTS = "DELETE FROM inbox WHERE run_key = ?";

  static final String DELETE_WORKFLOW =
      """
      DELETE FROM workflows
       WHERE workflow_id = (SELECT workflow_id FROM runs WHERE run_key = ?1) AND run_key = ?1
      """;

  static final String DELETE_RUN = "DELETE FROM runs WHERE run_key = ?";

  static final List<String> DELETE =
      List.of(KEEP_KEY, DELETE_EVENTS, DELETE_INPUTS, DELETE_WORKFLOW, DELETE_RUN);

  int deleteClosed(Instant before, int limit) {
    return jdbc.inTransaction(
        () -> {
          var old = jdbc.list(OLD, columns -> columns.getLong(1), before, limit);
          for (var run : old) DELETE.forEach(sql -> jdbc.update(sql, run));
          return old.size();
        });
  }
}
