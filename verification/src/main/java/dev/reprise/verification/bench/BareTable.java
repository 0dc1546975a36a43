package dev.reprise.verification.bench;

import dev.reprise.HistoryEvent;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.EventRow;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * A table like the engine's events in the database of an engine, written by plain JDBC through a
 * connection of its own. For one thread, and only while that engine has nothing to do.
 */
interface BareTable extends AutoCloseable {

  /** An event of a run. */
  record Row(long run, EventRow event) {}

  /** A new table in that database. */
  static BareTable in(String url) throws SQLException {
    return url.startsWith("jdbc:sqlite:") ? SqliteTable.in(url, true) : PostgresTable.in(url, true);
  }

  /** A second one, in which commit is a call of its own, where that makes a difference. */
  static BareTable forCommits(String url) throws SQLException {
    return url.startsWith("jdbc:sqlite:")
        ? SqliteTable.in(url, false)
        : PostgresTable.in(url, false);
  }

  /** Inserts and commits one row. */
  void insert(Row row) throws SQLException;

  /** Inserts all rows and commits them together. */
  void insertAll(List<Row> rows) throws SQLException;

  @Override
  void close() throws SQLException;

  /** The rows that a store has for such a history. */
  static List<EventRow> rows(List<HistoryEvent> history) {
    return history.stream().map(BareTable::row).toList();
  }

  private static EventRow row(HistoryEvent event) {
    var value = event.value();
    return new EventRow(
        event.index(),
        event.recordedAt(),
        code(event.type()),
        event.callSite(),
        event.attributes().getBytes(StandardCharsets.UTF_8),
        value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }

  private static int code(String label) {
    return Stream.of(EventType.values())
        .filter(type -> type.label().equals(label))
        .findFirst()
        .orElseThrow()
        .code();
  }
}
