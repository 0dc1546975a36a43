package dev.reprise.jdbc;

import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.InputRow.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows that may be damaged. What is wrong with one is marked there and does not fail the
 * query, which is about other runs as well.
 */
final class Damage {
  private Damage() {}

  /** Marks an event whose checksum does not fit. One without a checksum is taken as it is. */
  static EventRow check(EventRow event, long run, ResultSet columns, int column)
      throws SQLException {
    int kept = columns.getInt(column);
    return columns.wasNull() ? event : event.checked(run, kept);
  }

  /**
   * An input, as every query has it: input_id, run_key, kind, name, message, value, accepted_at,
   * checksum.
   */
  static InputRow input(ResultSet columns, Instant acceptedAt) throws SQLException {
    var kind = kind(columns.getString(3));
    var input =
        new InputRow(
            columns.getLong(1),
            columns.getLong(2),
            kind.orElse(Kind.SIGNAL),
            text(columns, 4),
            text(columns, 5),
            bytes(columns, 6),
            acceptedAt);
    if (kind.isEmpty()) return input.broken();
    int kept = columns.getInt(8);
    return columns.wasNull() ? input : input.checked(kept);
  }

  private static Optional<Kind> kind(@Nullable String name) {
    return Stream.of(Kind.values()).filter(kind -> kind.name().equals(name)).findFirst();
  }

  private static String text(ResultSet columns, int column) throws SQLException {
    var text = columns.getString(column);
    return text == null ? "" : text;
  }

  /** Where the schema allows no null, which a damaged row may have all the same. */
  static byte[] bytes(ResultSet columns, int column) throws SQLException {
    var bytes = columns.getBytes(column);
    return bytes == null ? new byte[0] : bytes;
  }
}
