package dev.reprise.jdbc;

import dev.reprise.engine.store.EventRow;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The events of a batch, inserted several at a time.
 *
 * <p>Most of what the engine writes are single events of many runs. One call of SQLite for eight
 * rows instead of one takes a third off the processor time; for 64, nothing more.
 */
final class EventInserts {
  private static final int COLUMNS = 8;
  private static final List<Insert> LARGEST_FIRST = List.of(Insert.of(8), Insert.of(1));

  private final Jdbc jdbc;
  private final List<Pending> pending = new ArrayList<>();

  private record Pending(long run, EventRow event) {}

  private record Insert(int rows, String sql) {
    private static Insert of(int rows) {
      var values = String.join(", ", Collections.nCopies(rows, "(?, ?, ?, ?, ?, ?, ?, ?)"));
      return new Insert(
          rows,
          "INSERT INTO events (run_key, idx, type, at, site, attributes, value, checksum) VALUES "
              + values);
    }
  }

  EventInserts(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  void add(long run, EventRow event) {
    pending.add(new Pending(run, event));
  }

  /** Inserts all that were added. */
  void flush() {
    int from = 0;
    for (var insert : LARGEST_FIRST) {
      while (pending.size() - from >= insert.rows()) {
        var rows = pending.subList(from, from + insert.rows());
        jdbc.update(insert.sql(), statement -> bindAll(statement, rows));
        from += insert.rows();
      }
    }
    pending.clear();
  }

  /** Forgets all that were added. */
  void clear() {
    pending.clear();
  }

  private static void bindAll(PreparedStatement statement, List<Pending> rows) throws SQLException {
    int offset = 0;
    for (var row : rows) {
      bind(statement, offset, row.run(), row.event());
      offset += COLUMNS;
    }
  }

  private static void bind(PreparedStatement statement, int offset, long run, EventRow event)
      throws SQLException {
    statement.setLong(offset + 1, run);
    statement.setInt(offset + 2, event.index());
    statement.setInt(offset + 3, event.type());
    statement.setLong(offset + 4, Micros.of(event.at()));
    statement.setString(offset + 5, event.site());
    statement.setBytes(offset + 6, event.attributes());
    statement.setBytes(offset + 7, event.value());
    statement.setInt(offset + 8, event.checksum(run));
  }
}
