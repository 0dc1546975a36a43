package dev.reprise.jdbc;

import dev.reprise.engine.store.RunRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads rows of {@code runs} in SQLite, as {@link RunColumns} has them. */
final class RunRows {
  private RunRows() {}

  static RunRow read(ResultSet columns) throws SQLException {
    var owner = columns.getString(RunColumns.OWNER);
    return read(columns, uuid(owner));
  }

  static RunRow read(ResultSet columns, @Nullable UUID owner) throws SQLException {
    return new RunRow(
        columns.getLong(1),
        UUID.fromString(Objects.requireNonNull(columns.getString(2), "no run id")),
        Objects.requireNonNull(columns.getString(3), "no workflow id"),
        Objects.requireNonNull(columns.getString(4), "no workflow"),
        RunColumns.status(columns),
        owner,
        instant(columns, 7),
        Micros.instant(columns.getLong(8)),
        instant(columns, 9),
        columns.getString(10),
        columns.getInt(11),
        columns.getString(12),
        columns.getString(13));
  }

  /** Of a node with a damaged id the owner is not known, and its runs are as readable as others. */
  private static @Nullable UUID uuid(@Nullable String text) {
    try {
      return text == null ? null : UUID.fromString(text);
    } catch (IllegalArgumentException damaged) {
      return null;
    }
  }

  private static @Nullable Instant instant(ResultSet columns, int index) throws SQLException {
    long micros = columns.getLong(index);
    return columns.wasNull() ? null : Micros.instant(micros);
  }
}
