package dev.reprise.jdbc;

import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.TaskStore.QueueCount;
import dev.reprise.engine.store.TaskView;
import dev.reprise.engine.store.TaskView.State;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads what is on queues. */
record SqliteTaskReader(Jdbc jdbc) {

  static final String OVERDUE =
      """
      SELECT %s
        FROM tasks
       WHERE due_at <= ?
       ORDER BY due_at
       LIMIT ?
      """
          .formatted(TaskRows.COLUMNS);

  List<TaskView> overdue(Instant now, int limit) {
    return Rows.present(jdbc.list(OVERDUE, Rows.readable(TaskRows::read), now, limit));
  }

  static final String NEXT_OVERDUE =
      "SELECT due_at FROM tasks WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1";

  Optional<Instant> nextOverdue() {
    return jdbc.first(NEXT_OVERDUE, columns -> Micros.instant(columns.getLong(1)));
  }

  static final String NEXT_DELAYED =
      """
      SELECT visible_at
        FROM tasks
       WHERE state = 'DELAYED' AND queue = ?
       ORDER BY visible_at
       LIMIT 1
      """;

  static final String ANY_READY = "SELECT 1 FROM tasks WHERE queue = ? AND state = 'READY' LIMIT 1";

  Optional<Instant> nextReady(String queue) {
    var delayed =
        jdbc.first(NEXT_DELAYED, columns -> Micros.instant(columns.getLong(1)), queue).stream();
    return Stream.concat(delayed, byRate(queue)).min(Instant::compareTo);
  }

  private Stream<Instant> byRate(String queue) {
    if (jdbc.first(ANY_READY, columns -> 1, queue).isEmpty()) return Stream.empty();
    return Stream.ofNullable(queues().flow(queue).again(queues().limits(queue)));
  }

  static final String OF_RUN =
      """
      SELECT %s
        FROM tasks
       WHERE run_key = ?
       ORDER BY idx
      """
          .formatted(TaskRows.COLUMNS);

  List<TaskView> ofRun(long run) {
    return Rows.present(jdbc.list(OF_RUN, Rows.readable(TaskRows::read), run));
  }

  static final String FIND =
      """
      SELECT %s
        FROM tasks
       WHERE run_key = ? AND idx = ?
      """
          .formatted(TaskRows.COLUMNS);

  Optional<TaskView> find(TaskRef ref) {
    return jdbc.first(FIND, TaskRows::read, ref.run(), ref.index());
  }

  /** Since when the first in line of each queue waits: one look at the index for each. */
  static final String WAITING_SINCE =
      """
      SELECT visible_at
        FROM tasks
       WHERE queue = ? AND state = 'READY'
       ORDER BY priority, visible_at
       LIMIT 1
      """;

  Map<String, Instant> waitingSince(Instant before) {
    var since = new HashMap<String, Instant>();
    for (var queue : jdbc.list(QUEUES, columns -> columns.getString(1))) {
      jdbc.first(WAITING_SINCE, columns -> Micros.instant(columns.getLong(1)), queue)
          .filter(first -> first.isBefore(before))
          .ifPresent(first -> since.put(queue, first));
    }
    return since;
  }

  static final String NAMES_WAITING =
      """
      SELECT name, visible_at
        FROM tasks
       WHERE queue = ? AND state = 'READY'
       ORDER BY priority, visible_at
       LIMIT ?
      """;

  private record Waiting(String name, Instant since) {}

  Map<String, Instant> namesWaiting(String queue, Instant before) {
    var since = new HashMap<String, Instant>();
    var head =
        jdbc.list(
            NAMES_WAITING,
            columns -> new Waiting(columns.getString(1), Micros.instant(columns.getLong(2))),
            queue,
            TaskStore.HEAD);
    for (var task : head) {
      if (!task.since().isBefore(before)) continue;
      since.merge(task.name(), task.since(), (one, other) -> one.isBefore(other) ? one : other);
    }
    return since;
  }

  static final String START_OF =
      """
      SELECT 1, start_at, start_type, start_site, start_attributes, start_value,
             start_checksum
        FROM tasks
       WHERE run_key = ? AND idx = 0 AND start_type IS NOT NULL
      """;

  Optional<EventRow> startOf(long run) {
    return jdbc.first(
        START_OF, columns -> SqliteReader.event(TaskArrays.KEPT_WITH_TASK, columns), run);
  }

  static final String RUN_WITH = "SELECT run_key FROM tasks WHERE queue = ? AND unique_key = ?";

  Optional<Long> runWith(String queue, String unique) {
    return jdbc.first(RUN_WITH, columns -> columns.getLong(1), queue, unique);
  }

  SqliteQueues queues() {
    return new SqliteQueues(jdbc);
  }

  // ---- how much there is ------------------------------------------------------------------------

  /** Goes from one queue to the next by the index. */
  static final String QUEUES =
      """
      WITH RECURSIVE used (queue) AS (
        SELECT * FROM (SELECT queue FROM tasks WHERE queue >= '' ORDER BY queue LIMIT 1)
        UNION ALL
        SELECT (SELECT tasks.queue
                  FROM tasks
                 WHERE tasks.queue > used.queue
                 ORDER BY tasks.queue
                 LIMIT 1)
          FROM used
         WHERE used.queue IS NOT NULL)
      SELECT queue FROM used WHERE queue IS NOT NULL
       UNION
      SELECT queue FROM queues
      """;

  List<QueueCount> counts() {
    return jdbc.list(QUEUES, columns -> columns.getString(1)).stream().map(this::count).toList();
  }

  static final String COUNT =
      """
      SELECT state, count(*), min(visible_at)
        FROM tasks
       WHERE queue = ?
       GROUP BY state
      """;

  private record Sum(State state, long count, Instant oldest) {}

  QueueCount count(String queue) {
    var sums = new EnumMap<State, Sum>(State.class);
    jdbc.list(
            COUNT,
            columns ->
                new Sum(
                    State.valueOf(columns.getString(1)),
                    columns.getLong(2),
                    Micros.instant(columns.getLong(3))),
            queue)
        .forEach(sum -> sums.put(sum.state(), sum));
    var none = new Sum(State.READY, 0, Instant.EPOCH);
    var ready = sums.get(State.READY);
    return new QueueCount(
        queue,
        sums.getOrDefault(State.READY, none).count(),
        sums.getOrDefault(State.DELAYED, none).count(),
        sums.getOrDefault(State.LEASED, none).count(),
        sums.getOrDefault(State.EXTERNAL, none).count(),
        sums.getOrDefault(State.OPEN, none).count(),
        ready == null ? null : ready.oldest());
  }
}
