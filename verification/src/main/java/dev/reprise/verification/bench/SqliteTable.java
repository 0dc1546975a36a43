package dev.reprise.verification.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/** The table in an SQLite file, on a connection with the settings of the engine's. */
final class SqliteTable implements BareTable {
  private static final int BUSY_MILLIS = 5_000;
  private static final int CACHE_KIB = 16 * 1024; // as the engine's connection has it
  private static final int CHECKPOINT_PAGES = 4_000; // as the engine's connection has it
  private static final int TOGETHER = 8; // rows a statement; more are not faster
  private static final int COLUMNS = 7;

  private static final String CREATE =
      """
      CREATE TABLE %s (
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

  private final Connection connection;
  private final boolean inOne;
  private final PreparedStatement one;
  private final PreparedStatement several;

  private SqliteTable(Connection connection, boolean inOne) throws SQLException {
    this.connection = connection;
    this.inOne = inOne;
    this.one = connection.prepareStatement(insertOf(1, inOne));
    this.several = connection.prepareStatement(insertOf(TOGETHER, inOne));
  }

  /**
   * @param inOne whether a statement commits itself; else commit is a call of its own
   */
  static SqliteTable in(String url, boolean inOne) throws SQLException {
    var config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.FULL);
    config.setCacheSize(-CACHE_KIB);
    var connection = config.createConnection(url);
    try (var statement = connection.createStatement()) {
      statement.execute("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
      statement.execute(CREATE.formatted(name(inOne)));
      connection.setAutoCommit(inOne);
      return new SqliteTable(connection, inOne);
    } catch (SQLException | RuntimeException failure) {
      connection.close();
      throw failure;
    }
  }

  private static String name(boolean inOne) {
    return inOne ? "bare_events" : "bare_events_in_two";
  }

  private static String insertOf(int rows, boolean inOne) {
    var values = String.join(", ", Collections.nCopies(rows, "(?, ?, ?, ?, ?, ?, ?)"));
    return "INSERT INTO %s (run_key, idx, type, at, site, attributes, value) VALUES %s"
        .formatted(name(inOne), values);
  }

  @Override
  public void insert(Row row) throws SQLException {
    bind(one, 0, row);
    one.executeUpdate();
    if (!inOne) connection.commit();
  }

  @Override
  public void insertAll(List<Row> rows) throws SQLException {
    connection.setAutoCommit(false);
    int done = 0;
    for (; rows.size() - done >= TOGETHER; done += TOGETHER) {
      for (int i = 0; i < TOGETHER; i++) bind(several, i * COLUMNS, rows.get(done + i));
      several.executeUpdate();
    }
    for (; done < rows.size(); done++) {
      bind(one, 0, rows.get(done));
      one.executeUpdate();
    }
    connection.commit();
    connection.setAutoCommit(inOne);
  }

  private static void bind(PreparedStatement statement, int offset, Row row) throws SQLException {
    var event = row.event();
    statement.setLong(offset + 1, row.run());
    statement.setInt(offset + 2, event.index());
    statement.setInt(offset + 3, event.type());
    statement.setLong(offset + 4, ChronoUnit.MICROS.between(Instant.EPOCH, event.at()));
    statement.setString(offset + 5, event.site());
    statement.setBytes(offset + 6, event.attributes());
    statement.setBytes(offset + 7, event.value());
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
