package dev.reprise.verification.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a PostgreSQL server counts, and Linux for its processes if they are on this machine.
 *
 * <p>The statistics views lag by a second and more, so nothing here is taken from them. The place
 * in the log and the last transaction number are exact; that number counts the transactions that
 * write, of the whole server.
 */
final class PostgresCounters implements AutoCloseable {
  private static final String LOG_AND_TRANSACTIONS =
      """
      SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint,
             pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      """;
  private static final String BACKEND = "SELECT pg_backend_pid(), inet_client_port()";

  private final Connection connection;
  private final @Nullable ProcessTree processes;

  /** The server's log in bytes and its transactions so far. */
  record Written(long logBytes, long transactions) {}

  private PostgresCounters(Connection connection, @Nullable ProcessTree processes) {
    this.connection = connection;
    this.processes = processes;
  }

  static PostgresCounters of(String url) throws SQLException {
    var connection = DriverManager.getConnection(url);
    try {
      return new PostgresCounters(connection, query(connection, BACKEND, PostgresCounters::tree));
    } catch (SQLException | RuntimeException failure) {
      connection.close();
      throw failure;
    }
  }

  /** The server's processes, if the one that serves this connection can be seen here. */
  private static @Nullable ProcessTree tree(ResultSet row) throws SQLException {
    long pid = row.getLong(1);
    var title = Path.of("/proc", Long.toString(pid), "cmdline");
    try {
      // The number alone could be another process here, if the server is on another machine.
      if (!Files.readString(title, StandardCharsets.ISO_8859_1).contains("(" + row.getInt(2) + ")"))
        return null;
    } catch (IOException elsewhere) {
      return null;
    }
    return ProcessHandle.of(pid)
        .flatMap(ProcessHandle::parent)
        .map(parent -> new ProcessTree(parent.pid()))
        .orElse(null);
  }

  Written written() throws SQLException {
    return query(
        connection, LOG_AND_TRANSACTIONS, row -> new Written(row.getLong(1), row.getLong(2)));
  }

  /** The processor time of the server, if it is on this machine. */
  Optional<Long> cpuNanos() {
    return Optional.ofNullable(processes).map(ProcessTree::cpuNanos);
  }

  /** Where its files are, if that is on this machine and we may know it. */
  Optional<Path> folder() {
    if (processes == null) return Optional.empty();
    try {
      var folder = query(connection, "SHOW data_directory", row -> Path.of(row.getString(1)));
      return Optional.of(folder).filter(Files::isDirectory);
    } catch (SQLException notAllowed) {
      return Optional.empty();
    }
  }

  private interface Reading<T extends @Nullable Object> {
    T of(ResultSet row) throws SQLException;
  }

  private static <T extends @Nullable Object> T query(
      Connection connection, String sql, Reading<T> reading) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      if (!rows.next()) throw new SQLException("no row");
      return reading.of(rows);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
