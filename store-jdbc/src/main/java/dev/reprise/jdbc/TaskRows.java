package dev.reprise.jdbc;

import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskView;
import dev.reprise.engine.store.TaskView.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Reads rows of {@code tasks} in SQLite. */
final class TaskRows {
  static final String COLUMNS =
      """
      run_key, idx, queue, name, key, priority, visible_at, lease, attempt_limit, wait_until, until,
             unique_key, debounced, state, attempt, scheduled_at, lease_until, deadline, cancelled,
             worker, retry, heartbeat, heartbeat_at\
      """;

  private TaskRows() {}

  static TaskView read(ResultSet columns) throws SQLException {
    return new TaskView(
        new TaskRef(columns.getLong(1), columns.getInt(2)),
        task(columns),
        State.valueOf(columns.getString(14)),
        columns.getInt(15),
        Micros.instant(columns.getLong(16)),
        instant(columns, 17),
        instant(columns, 18),
        columns.getBoolean(19),
        columns.getString(20),
        columns.getString(21),
        columns.getBytes(22),
        instant(columns, 23));
  }

  private static NewTask task(ResultSet columns) throws SQLException {
    long limit = columns.getLong(9);
    boolean unlimited = columns.wasNull();
    return new NewTask(
        columns.getInt(2),
        columns.getString(3),
        columns.getString(4),
        columns.getString(5),
        columns.getInt(6),
        Micros.instant(columns.getLong(7)),
        Duration.of(columns.getLong(8), ChronoUnit.MICROS),
        unlimited ? null : Duration.of(limit, ChronoUnit.MICROS),
        instant(columns, 10),
        instant(columns, 11),
        columns.getString(12),
        columns.getBoolean(13));
  }

  static @Nullable Instant instant(ResultSet columns, int index) throws SQLException {
    long micros = columns.getLong(index);
    return columns.wasNull() ? null : Micros.instant(micros);
  }
}
