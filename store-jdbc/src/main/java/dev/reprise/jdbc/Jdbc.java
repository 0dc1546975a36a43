package dev.reprise.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection with its prepared statements, which live as long as it does.
 *
 * <p>No {@link SQLException} leaves it. For one thread at a time. After an {@link Error}, such as
 * that of a full heap, nobody knows how far the driver came: the connection is closed, which rolls
 * back what was not committed, and the next use opens another one.
 */
final class Jdbc implements AutoCloseable {
  private static final String BEGIN = "BEGIN IMMEDIATE";
  private static final String COMMIT = "COMMIT";
  private static final String ROLLBACK = "ROLLBACK";

  private final Opening opening;
  private final Function<SQLException, RuntimeException> errors;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private Connection connection;
  private boolean broken;

  /** Opens a connection in autocommit mode. */
  interface Opening {
    Connection open() throws SQLException;
  }

  /** What to do with a statement. */
  interface Work<T> {
    T run(PreparedStatement statement) throws SQLException;
  }

  /** Fills in the parameters of a statement. */
  interface Parameters {
    void set(PreparedStatement statement) throws SQLException;
  }

  /** Reads one row. */
  interface Row<T> {
    T read(ResultSet columns) throws SQLException;
  }

  /**
   * @param errors says what an exception of this database means
   */
  Jdbc(Opening opening, Function<SQLException, RuntimeException> errors) {
    this.opening = opening;
    this.errors = errors;
    try {
      this.connection = opening.open();
    } catch (SQLException failure) {
      throw errors.apply(failure);
    }
  }

  /** The connection, or another one if it is not known in which state this one is. */
  private Connection connection() throws SQLException {
    if (!broken) return connection;
    connection.close(); // again and again, until it is: it may hold a lock on the file
    prepared.clear();
    connection = opening.open();
    broken = false;
    return connection;
  }

  /** Commits what the work wrote, all of it or nothing. */
  <T> T inTransaction(Supplier<T> work) {
    execute(BEGIN);
    try {
      var result = work.get();
      execute(COMMIT);
      return result;
    } catch (RuntimeException failure) {
      rollback(failure);
      throw failure;
    } catch (Error failure) {
      broken = true;
      throw failure;
    }
  }

  /** SQLite has rolled back by itself after some errors, such as a full disk. */
  private void rollback(Throwable reason) {
    try {
      execute(ROLLBACK);
    } catch (RuntimeException already) {
      reason.addSuppressed(already);
    }
  }

  void execute(String sql) {
    run(sql, PreparedStatement::execute);
  }

  /** Runs a whole file of statements. */
  void executeScript(String script) {
    try (var statement = connection().createStatement()) {
      statement.executeUpdate(script);
    } catch (SQLException failure) {
      throw errors.apply(failure);
    } catch (Error failure) {
      broken = true;
      throw failure;
    }
  }

  /** How many rows it changed. */
  int update(String sql, @Nullable Object... parameters) {
    return update(sql, statement -> bind(statement, parameters));
  }

  /** How many rows it changed. */
  int update(String sql, Parameters parameters) {
    return run(
        sql,
        statement -> {
          parameters.set(statement);
          return statement.executeUpdate();
        });
  }

  <T> List<T> list(String sql, Row<T> row, @Nullable Object... parameters) {
    return run(sql, statement -> rows(statement, row, parameters));
  }

  /** The same for statements of which there is no end, so that none of them is kept. */
  <T> List<T> listOnce(Sql sql, Row<T> row) {
    try (var statement = connection().prepareStatement(sql.text())) {
      return rows(statement, row, sql.values());
    } catch (SQLException failure) {
      throw errors.apply(failure);
    } catch (Error failure) {
      broken = true;
      throw failure;
    }
  }

  private static <T> List<T> rows(
      PreparedStatement statement, Row<T> row, @Nullable Object[] parameters) throws SQLException {
    bind(statement, parameters);
    var found = new ArrayList<T>();
    try (var columns = statement.executeQuery()) {
      while (columns.next()) found.add(Rows.read(row, columns));
    }
    return found;
  }

  <T> Optional<T> first(String sql, Row<T> row, @Nullable Object... parameters) {
    return list(sql, row, parameters).stream().findFirst();
  }

  private <T> T run(String sql, Work<T> work) {
    try {
      return work.run(prepare(sql));
    } catch (SQLException failure) {
      discard(sql, failure);
      throw errors.apply(failure);
    } catch (Error failure) {
      broken = true;
      throw failure;
    }
  }

  private PreparedStatement prepare(String sql) throws SQLException {
    if (broken) connection();
    var known = prepared.get(sql);
    if (known != null) return known;
    var statement = connection().prepareStatement(sql);
    prepared.put(sql, statement);
    return statement;
  }

  /** The driver closes a statement after some errors, and leaves it half done after others. */
  private void discard(String sql, SQLException reason) {
    var failed = prepared.remove(sql);
    if (failed == null) return;
    try {
      failed.close();
    } catch (SQLException closed) {
      reason.addSuppressed(closed);
    }
  }

  private static void bind(PreparedStatement statement, @Nullable Object[] parameters)
      throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      switch (parameters[i]) {
        case null -> statement.setObject(i + 1, null);
        case Long number -> statement.setLong(i + 1, number);
        case Integer number -> statement.setInt(i + 1, number);
        case String text -> statement.setString(i + 1, text);
        case byte[] bytes -> statement.setBytes(i + 1, bytes);
        case Instant at -> statement.setLong(i + 1, Micros.of(at));
        case UUID id -> statement.setString(i + 1, id.toString());
        case Enum<?> constant -> statement.setString(i + 1, constant.name());
        case Object other -> throw new IllegalArgumentException("no column for " + other);
      }
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException failure) {
      throw errors.apply(failure);
    }
  }
}
