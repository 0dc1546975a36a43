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
 * <p>No {@link SQLException} leaves it. For one thread at a time.
 */
final class Jdbc implements AutoCloseable {
  private static final String BEGIN = "BEGIN IMMEDIATE";
  private static final String COMMIT = "COMMIT";
  private static final String ROLLBACK = "ROLLBACK";

  private final Connection connection;
  private final Function<SQLException, RuntimeException> errors;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

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
   * @param connection in autocommit mode
   * @param errors says what an exception of this database means
   */
  Jdbc(Connection connection, Function<SQLException, RuntimeException> errors) {
    this.connection = connection;
    this.errors = errors;
  }

  /** Commits what the work wrote, all of it or nothing. */
  <T> T inTransaction(Supplier<T> work) {
    execute(BEGIN);
    try {
      var result = work.get();
      execute(COMMIT);
      return result;
    } catch (RuntimeException | Error failure) {
      rollback(failure);
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
    try (var statement = connection.createStatement()) {
      statement.executeUpdate(script);
    } catch (SQLException failure) {
      throw errors.apply(failure);
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
    try (var statement = connection.prepareStatement(sql.text())) {
      return rows(statement, row, sql.values());
    } catch (SQLException failure) {
      throw errors.apply(failure);
    }
  }

  private static <T> List<T> rows(
      PreparedStatement statement, Row<T> row, @Nullable Object[] parameters) throws SQLException {
    bind(statement, parameters);
    var found = new ArrayList<T>();
    try (var columns = statement.executeQuery()) {
      while (columns.next()) found.add(row.read(columns));
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
    }
  }

  private PreparedStatement prepare(String sql) throws SQLException {
    var known = prepared.get(sql);
    if (known != null) return known;
    var statement = connection.prepareStatement(sql);
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
