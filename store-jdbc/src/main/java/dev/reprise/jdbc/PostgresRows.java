package dev.reprise.jdbc;

import dev.reprise.Status;
import dev.reprise.engine.store.RunRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of {@code runs}, of which every query selects: {@code run_key, run_id, workflow_id,
 * workflow, status, wake_at, started_at, closed_at, blocked_by, crashes}, and then the owner's UUID
 * if it wants that.
 */
final class PostgresRows {
  private PostgresRows() {}

  static RunRow run(ResultSet columns) throws SQLException {
    return run(columns, columns.getObject(11, UUID.class));
  }

  static RunRow run(ResultSet columns, @Nullable UUID owner) throws SQLException {
    return new RunRow(
        columns.getLong(1),
        columns.getObject(2, UUID.class),
        columns.getString(3),
        columns.getString(4),
        Status.valueOf(columns.getString(5)),
        owner,
        PostgresTimes.instantOrNull(columns, 6),
        PostgresTimes.instant(columns, 7),
        PostgresTimes.instantOrNull(columns, 8),
        columns.getString(9),
        columns.getInt(10));
  }
}
