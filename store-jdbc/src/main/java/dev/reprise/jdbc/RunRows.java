package dev.reprise.jdbc;

import dev.reprise.Status;
import dev.reprise.engine.store.RunRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of {@code runs}, of which every query selects: {@code run_key, run_id, workflow_id,
 * workflow, status, wake_at, started_at, closed_at, blocked_by, crashes}, and then the owner's UUID
 * if it wants that.
 */
final class RunRows {
  private RunRows() {}

  static RunRow read(ResultSet columns) throws SQLException {
    var owner = columns.getString(11);
    return read(columns, owner == null ? null : UUID.fromString(owner));
  }

  static RunRow read(ResultSet columns, @Nullable UUID owner) throws SQLException {
    return new RunRow(
        columns.getLong(1),
        UUID.fromString(columns.getString(2)),
        columns.getString(3),
        columns.getString(4),
        Status.valueOf(columns.getString(5)),
        owner,
        instant(columns, 6),
        Micros.instant(columns.getLong(7)),
        instant(columns, 8),
        columns.getString(9),
        columns.getInt(10));
  }

  private static @Nullable Instant instant(ResultSet columns, int index) throws SQLException {
    long micros = columns.getLong(index);
    return columns.wasNull() ? null : Micros.instant(micros);
  }
}
