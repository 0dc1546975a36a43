package dev.reprise.jdbc;

import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.TaskView.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes what transitions do to tasks, inside of the transaction of a batch. */
record SqliteTaskWrites(Jdbc jdbc) {
  static final String IS_THERE = "SELECT 1 FROM tasks WHERE queue = ? AND unique_key = ?";

  /** Whether a run of the queue with the same unique key is there. */
  boolean isDuplicate(NewTask task) {
    return task.unique() != null
        && jdbc.first(IS_THERE, columns -> 1, task.queue(), task.unique()).isPresent();
  }

  static final String INSERT =
      """
      INSERT INTO tasks (run_key, idx, queue, name, key, priority, state, visible_at, scheduled_at,
                         lease, attempt_limit, wait_until, until, unique_key, debounced,
                         start_at, start_type, start_site, start_attributes, start_value,
                         start_checksum)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  /**
   * @param start of a run that waits: its first event
   */
  void add(long run, List<NewTask> tasks, Instant now, @Nullable EventRow start) {
    for (var task : tasks) add(run, task, now, task.index() == 0 ? start : null);
  }

  private void add(long run, NewTask task, Instant now, @Nullable EventRow start) {
    jdbc.update(
        INSERT,
        run,
        task.index(),
        task.queue(),
        task.name(),
        task.key(),
        task.priority(),
        waiting(task.visibleAt(), now),
        task.visibleAt(),
        now,
        micros(task.lease()),
        micros(task.attemptLimit()),
        task.waitUntil(),
        task.until(),
        task.unique(),
        task.debounced() ? 1 : 0,
        start == null ? null : start.at(),
        start == null ? null : start.type(),
        start == null ? null : start.site(),
        start == null ? null : start.attributes(),
        start == null ? null : start.value(),
        start == null ? null : start.checksum(TaskArrays.KEPT_WITH_TASK));
  }

  static State waiting(Instant visibleAt, Instant now) {
    return visibleAt.isAfter(now) ? State.DELAYED : State.READY;
  }

  private static @Nullable Long micros(@Nullable Duration duration) {
    return duration == null ? null : duration.toNanos() / 1_000;
  }

  static final String CANCEL = "UPDATE tasks SET cancelled = 1 WHERE run_key = ? AND idx = ?";

  void cancel(long run, List<Integer> indexes) {
    for (int index : indexes) jdbc.update(CANCEL, run, index);
  }

  static final String BEGIN =
      """
      UPDATE tasks
         SET state = 'OPEN', lease_until = NULL, deadline = NULL, hand = NULL,
             unique_key = CASE debounced WHEN 0 THEN unique_key END,
             start_at = NULL, start_type = NULL, start_site = NULL, start_attributes = NULL,
             start_value = NULL, start_checksum = NULL
       WHERE run_key = ? AND idx = 0
      """;

  /** A run that has waited begins. */
  void begin(long run) {
    jdbc.update(BEGIN, run);
  }

  static final String LEAVE = "DELETE FROM tasks WHERE run_key = ? AND idx = 0";

  /** A run is closed, and leaves its queue. */
  void leave(long run) {
    jdbc.update(LEAVE, run);
  }

  static final String HAND_OVER = "UPDATE tasks SET run_key = ? WHERE run_key = ? AND idx = 0";

  /** The next run of the workflow takes its place. */
  void handOver(long run, long next) {
    jdbc.update(HAND_OVER, next, run);
  }

  static final String REPLACE =
      """
      UPDATE tasks
         SET state = ?, visible_at = ?,
             start_at = ?, start_type = ?, start_site = ?, start_attributes = ?, start_value = ?,
             start_checksum = ?
       WHERE queue = ? AND unique_key = ? AND state IN ('DELAYED', 'READY')
      """;

  boolean replace(String queue, String unique, EventRow start, Instant visibleAt, Instant now) {
    int changed =
        jdbc.update(
            REPLACE,
            waiting(visibleAt, now),
            visibleAt,
            start.at(),
            start.type(),
            start.site(),
            start.attributes(),
            start.value(),
            start.checksum(TaskArrays.KEPT_WITH_TASK),
            queue,
            unique);
    return changed == 1;
  }
}
