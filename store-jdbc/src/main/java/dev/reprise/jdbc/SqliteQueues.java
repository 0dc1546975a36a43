package dev.reprise.jdbc;

import dev.reprise.QueueLimits;
import dev.reprise.engine.queue.Flow;
import dev.reprise.engine.queue.QueueJson;
import dev.reprise.engine.store.WorkerRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** The rows of {@code queues} and {@code workers}. */
record SqliteQueues(Jdbc jdbc) {
  private static final Duration FORGOTTEN = Duration.ofDays(1);

  static final String LIMITS = "SELECT limits FROM queues WHERE queue = ?";

  QueueLimits limits(String queue) {
    return jdbc.first(LIMITS, columns -> QueueJson.limits(columns.getString(1)), queue)
        .orElse(QueueLimits.none());
  }

  static final String LIMIT =
      """
      INSERT INTO queues (queue, limits) VALUES (?, ?)
          ON CONFLICT (queue) DO UPDATE SET limits = excluded.limits
      """;

  int limit(String queue, QueueLimits limits) {
    return jdbc.update(LIMIT, queue, QueueJson.write(limits));
  }

  static final String FLOW = "SELECT flow FROM queues WHERE queue = ?";

  Flow flow(String queue) {
    return jdbc.first(FLOW, columns -> QueueJson.flow(columns.getString(1)), queue)
        .orElse(Flow.NEW);
  }

  static final String SET_FLOW = "UPDATE queues SET flow = ? WHERE queue = ?";

  void flow(String queue, Flow flow) {
    jdbc.update(SET_FLOW, QueueJson.write(flow), queue);
  }

  // ---- workers ----------------------------------------------------------------------------------

  static final String SERVE =
      """
      INSERT INTO workers (worker, queue, host, concurrency, names, seen_at)
      VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (worker) DO UPDATE
         SET queue = excluded.queue, host = excluded.host, concurrency = excluded.concurrency,
             names = excluded.names, seen_at = excluded.seen_at
      """;

  int serve(WorkerRow row) {
    return jdbc.update(
        SERVE,
        row.worker(),
        row.queue(),
        row.host(),
        row.concurrency(),
        JsonMapper.shared().writeValueAsString(row.names()),
        row.seenAt());
  }

  static final String LEAVE = "DELETE FROM workers WHERE worker = ?";

  int leave(UUID worker) {
    return jdbc.update(LEAVE, worker);
  }

  static final String FORGET = "DELETE FROM workers WHERE seen_at < ?";

  /** Deletes those that were silent for a day before that. */
  int forget(Instant since) {
    return jdbc.update(FORGET, since.minus(FORGOTTEN));
  }

  static final String WORKERS =
      """
      SELECT worker, queue, host, concurrency, names, seen_at
        FROM workers
       WHERE seen_at >= ?
       ORDER BY seen_at
      """;

  List<WorkerRow> workers(Instant since) {
    return Rows.present(jdbc.list(WORKERS, Rows.readable(SqliteQueues::worker), since));
  }

  private static WorkerRow worker(ResultSet columns) throws SQLException {
    var names = JsonMapper.shared().readValue(columns.getString(5), String[].class);
    return new WorkerRow(
        UUID.fromString(columns.getString(1)),
        columns.getString(2),
        columns.getString(3),
        columns.getInt(4),
        List.of(names),
        Micros.instant(columns.getLong(6)));
  }
}
