package dev.reprise.jdbc;

import dev.reprise.engine.store.RunRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads rows of {@code runs} in PostgreSQL, as {@link RunColumns} has them. */
final class PostgresRows {
  private PostgresRows() {}

  static RunRow run(ResultSet columns) throws SQLException {
    return run(columns, columns.getObject(RunColumns.OWNER, UUID.class));
  }

  static RunRow run(ResultSet columns, @Nullable UUID owner) throws SQLException {
    return new RunRow(
        columns.getLong(1),
        columns.getObject(2, UUID.class),
        columns.getString(3),
        columns.getString(4),
        RunColumns.status(columns),
        owner,
        PostgresTimes.instantOrNull(columns, 7),
        PostgresTimes.instant(columns, 8),
        PostgresTimes.instantOrNull(columns, 9),
        columns.getString(10),
        columns.getInt(11),
        columns.getString(12),
        columns.getString(13));
  }
}
