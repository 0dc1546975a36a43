package dev.reprise.verification.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/**
 * The yardstick: the rows of a workflow, inserted and committed one by one by plain JDBC.
 *
 * <p>It writes to the file of an engine, through a connection of its own and into a table of its
 * own, so it may run only while that engine has nothing to do.
 */
final class BareCommits implements AutoCloseable {
  private static final int BUSY_MILLIS = 5_000;
  private static final int CACHE_KIB = 16 * 1024; // as the engine's connection has it
  private static final int CHECKPOINT_PAGES = 4_000; // as the engine's connection has it

  private static final String CREATE =
      """
      CREATE TABLE bare_events (
        run_key    INTEGER NOT NULL,
        idx        INTEGER NOT NULL,
        type       INTEGER NOT NULL,
        at         INTEGER NOT NULL,
        site       TEXT,
        attributes BLOB    NOT NULL,
        value      BLOB,
        PRIMARY KEY (run_key, idx)
      ) STRICT
      """;

  private static final String READ =
      """
      SELECT type, at, site, attributes, value FROM events
       WHERE run_key = (SELECT max(run_key) FROM events)
       ORDER BY idx
       LIMIT ?
      """;

  private static final String INSERT =
      """
      INSERT INTO bare_events (run_key, idx, type, at, site, attributes, value)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """;

  private final Connection connection;
  private final List<Row> rows;
  private final PreparedStatement insert;
  private long run;

  private record Row(
      int type, long at, @Nullable String site, byte[] attributes, byte @Nullable [] value) {}

  private BareCommits(Connection connection, List<Row> rows) throws SQLException {
    this.connection = connection;
    this.rows = rows;
    this.insert = connection.prepareStatement(INSERT);
  }

  /** With the first so many rows of the run that the engine started last. */
  static BareCommits on(Path file, int count) throws SQLException {
    var config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.FULL);
    config.setCacheSize(-CACHE_KIB);
    var connection = config.createConnection("jdbc:sqlite:" + file);
    try (var statement = connection.createStatement()) {
      statement.execute("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
      statement.execute(CREATE);
      var rows = read(connection, count);
      connection.setAutoCommit(false);
      return new BareCommits(connection, rows);
    } catch (SQLException | RuntimeException failure) {
      connection.close();
      throw failure;
    }
  }

  private static List<Row> read(Connection connection, int count) throws SQLException {
    var rows = new ArrayList<Row>();
    try (var statement = connection.prepareStatement(READ)) {
      statement.setInt(1, count);
      try (var columns = statement.executeQuery()) {
        while (columns.next()) {
          rows.add(
              new Row(
                  columns.getInt(1),
                  columns.getLong(2),
                  columns.getString(3),
                  columns.getBytes(4),
                  columns.getBytes(5)));
        }
      }
    }
    if (rows.size() == count) return rows;
    throw new IllegalStateException("%d rows instead of %d".formatted(rows.size(), count));
  }

  /** Inserts and commits each row. */
  void run() throws SQLException {
    run++;
    for (int i = 0; i < rows.size(); i++) {
      bind(i + 1, rows.get(i));
      insert.executeUpdate();
      connection.commit();
    }
  }

  private void bind(int index, Row row) throws SQLException {
    insert.setLong(1, run);
    insert.setInt(2, index);
    insert.setInt(3, row.type());
    insert.setLong(4, row.at());
    insert.setString(5, row.site());
    insert.setBytes(6, row.attributes());
    insert.setBytes(7, row.value());
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
