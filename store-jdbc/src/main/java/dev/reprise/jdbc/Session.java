package dev.reprise.jdbc;

import dev.reprise.engine.store.Store.StoreUnavailable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * A connection to PostgreSQL in use. Of a connection that is not our own, the driver keeps the
 * prepared statements, by their text.
 *
 * <p>No {@link SQLException} leaves it. For one thread at a time, but for {@link #abort}.
 */
final class Session implements AutoCloseable {
  private final Connection connection;
  private final PostgresErrors errors;
  private final String prefix;
  private final Closing closing;
  private final Map<String, PreparedStatement> kept = new HashMap<>();
  private final Set<UUID> pens = new HashSet<>();
  private int pid; // of the server process behind it, 0 as long as it may be any
  private boolean prefixed = true; // the next statement
  private boolean within; // a transaction of several statements
  private boolean broken;
  private boolean shared; // by a proxy, with other clients

  /** What to do with a statement that has been executed. */
  private interface Work<T> {
    T run(PreparedStatement statement) throws SQLException;
  }

  /** What happens to the connection in the end. */
  interface Closing {
    void close(Connection connection, boolean isBroken) throws SQLException;
  }

  /**
   * @param connection in autocommit mode
   * @param prefix goes ahead of the statements of each transaction, or is empty
   */
  Session(Connection connection, PostgresErrors errors, String prefix, Closing closing) {
    this.connection = connection;
    this.errors = errors;
    this.prefix = prefix;
    this.closing = closing;
  }

  /**
   * Whether the connection is of no more use. What was written last may be committed or not; nobody
   * knows without looking.
   */
  boolean isBroken() {
    return broken;
  }

  /** It leads to where it is of no use. */
  void giveUp() {
    broken = true;
  }

  /** Of a pool: the connection itself, which stays the same from one use to the next. */
  Object identity() {
    try {
      return connection.unwrap(PGConnection.class);
    } catch (SQLException hidden) {
      return this;
    }
  }

  /** Whether it is kept from one use to the next, and nobody else has it in between. */
  boolean isOurs() {
    return prefix.isEmpty();
  }

  /** The nodes whose pens it has. */
  Set<UUID> pens() {
    return pens;
  }

  /** The server process that answers now. Nothing is prepared for that: a proxy could lose it. */
  Backend backend() {
    return ask(Backend.ASK, Backend::read);
  }

  /** Asks in plain text, without the settings of a transaction. */
  <T> T ask(String sql, Jdbc.Row<T> row) {
    try (var statement = connection.createStatement();
        var columns = statement.executeQuery(sql)) {
      columns.next();
      return row.read(columns);
    } catch (SQLException failure) {
      throw meaningOf(failure);
    }
  }

  /** From now on this server process answers, and no other. */
  void expect(int backend) {
    pid = backend;
  }

  /**
   * Checks that an answer came from the server process that is expected.
   *
   * @param column has its process id
   * @throws StoreUnavailable {@code R140} if not; the connection is of no use then
   */
  ResultSet checked(ResultSet columns, int column) throws SQLException {
    if (pid == 0 || pid == columns.getInt(column)) return columns;
    broken = true;
    shared = true;
    throw Backend.shared(errors.database());
  }

  /** Commits what the work wrote, all of it or nothing. */
  <T> T inTransaction(Supplier<T> work) {
    try {
      connection.setAutoCommit(false);
      within = true;
      var result = work.get();
      connection.commit();
      return result;
    } catch (SQLException failure) {
      var meaning = meaningOf(failure);
      rollback(meaning);
      throw meaning;
    } catch (RuntimeException | Error failure) {
      rollback(failure);
      throw failure;
    } finally {
      prefixed = true;
      within = false;
      restore();
    }
  }

  private void rollback(Throwable reason) {
    if (broken) return;
    try {
      connection.rollback();
    } catch (SQLException failure) {
      reason.addSuppressed(failure);
      broken = true;
    }
  }

  private void restore() {
    if (broken) return;
    try {
      connection.setAutoCommit(true);
    } catch (SQLException failure) {
      broken = true;
    }
  }

  /**
   * Runs statements without parameters and without answers. Outside of a transaction they name no
   * tables.
   */
  void execute(String script) {
    boolean follows = within && prefixed && !prefix.isEmpty();
    try (var statement = connection.createStatement()) {
      statement.execute(follows ? prefix + ";\n" + script : script);
      if (follows) prefixed = false;
    } catch (SQLException failure) {
      throw meaningOf(failure);
    }
  }

  /** How many rows it changed. */
  int update(String sql, @Nullable Object... parameters) {
    return settled(() -> run(sql, Arrays.asList(parameters), PreparedStatement::getUpdateCount));
  }

  <T> List<T> list(String sql, Jdbc.Row<T> row, @Nullable Object... parameters) {
    return settled(() -> run(sql, Arrays.asList(parameters), statement -> rows(statement, row)));
  }

  <T> Optional<T> first(String sql, Jdbc.Row<T> row, @Nullable Object... parameters) {
    return list(sql, row, parameters).stream().findFirst();
  }

  /** The same for statements of which there is no end, so that none of them is kept. */
  <T> List<T> listOnce(Sql sql, Jdbc.Row<T> row) {
    return settled(() -> once(sql, row));
  }

  private <T> List<T> once(Sql sql, Jdbc.Row<T> row) {
    var parameters = new ArrayList<@Nullable Object>(sql.parameters());
    try {
      return runOnce(sql.text(), parameters, statement -> rows(statement, row));
    } catch (SQLException failure) {
      throw meaningOf(failure);
    } catch (RuntimeException | Error failure) {
      broken = true; // its answer may still be on the way
      throw failure;
    }
  }

  /**
   * In a transaction of its own, if the settings of one go ahead. Without it the driver ends theirs
   * before a statement whose answer may be long, and that would look for its tables in the schema
   * of the user.
   */
  private <T> T settled(Supplier<T> work) {
    return within || prefix.isEmpty() ? work.get() : inTransaction(work);
  }

  /** Whether a statement that is sent together with the settings finds its tables there. */
  boolean isIn(String schema) {
    return run(
        "SELECT current_schema() = ?",
        List.of(schema),
        statement -> rows(statement, columns -> columns.getBoolean(1)).contains(true));
  }

  private static <T> List<T> rows(PreparedStatement statement, Jdbc.Row<T> row)
      throws SQLException {
    var found = new ArrayList<T>();
    try (var columns = statement.getResultSet()) {
      while (columns.next()) found.add(Rows.read(row, columns));
    }
    return found;
  }

  /**
   * Runs several statements in one round trip and, outside of {@link #inTransaction}, as one
   * transaction. The answers of each go to its reader.
   *
   * <p>The driver sends them together only as long as no column of an answer is of unlimited
   * length: answers are numbers and times.
   */
  void pipeline(Pipeline pipeline) {
    run(
        pipeline.sql(),
        pipeline.parameters(),
        statement -> {
          for (var reader : pipeline.readers()) {
            if (reader != null) rows(statement, reader);
            statement.getMoreResults();
          }
          return pipeline;
        });
  }

  private <T> T run(String sql, List<@Nullable Object> parameters, Work<T> work) {
    try {
      return prefix.isEmpty() ? runKept(sql, parameters, work) : runOnce(sql, parameters, work);
    } catch (SQLException failure) {
      throw meaningOf(failure);
    } catch (Unbindable nothingSent) {
      throw nothingSent.reason();
    } catch (RuntimeException | Error failure) {
      broken = true; // it may have been committed
      throw failure;
    }
  }

  /** A value has no column: nothing was sent yet, and the connection is as it was. */
  private static final class Unbindable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Unbindable(RuntimeException cause) {
      super(cause);
    }

    private RuntimeException reason() {
      return getCause() instanceof RuntimeException cause ? cause : this;
    }
  }

  /** On a connection of our own statements are prepared once. */
  private <T> T runKept(String sql, List<@Nullable Object> parameters, Work<T> work)
      throws SQLException {
    var statement = kept.get(sql);
    if (statement == null) statement = connection.prepareStatement(sql);
    kept.remove(sql); // after an error it is not used again
    var result = execute(statement, parameters, work);
    kept.put(sql, statement);
    return result;
  }

  private <T> T runOnce(String sql, List<@Nullable Object> parameters, Work<T> work)
      throws SQLException {
    boolean follows = prefixed && !prefix.isEmpty();
    var text = follows ? prefix + ";\n" + sql : sql;
    try (var statement = connection.prepareStatement(text)) {
      return execute(
          statement,
          parameters,
          executed -> {
            if (follows) executed.getMoreResults();
            if (within) prefixed = false;
            return work.run(executed);
          });
    }
  }

  private static <T> T execute(
      PreparedStatement statement, List<@Nullable Object> parameters, Work<T> work)
      throws SQLException {
    try {
      for (int i = 0; i < parameters.size(); i++) bind(statement, i + 1, parameters.get(i));
    } catch (RuntimeException unbindable) {
      throw new Unbindable(unbindable);
    }
    statement.execute();
    return work.run(statement);
  }

  private static void bind(PreparedStatement statement, int index, @Nullable Object parameter)
      throws SQLException {
    switch (parameter) {
      case null -> statement.setObject(index, null);
      case Long number -> statement.setLong(index, number);
      case Integer number -> statement.setInt(index, number);
      case Boolean flag -> statement.setBoolean(index, flag);
      case String text -> statement.setString(index, text);
      case UUID id -> statement.setObject(index, id);
      case Enum<?> constant -> statement.setString(index, constant.name());
      case byte[] bytes -> statement.setBytes(index, bytes);
      case Instant at -> statement.setLong(index, PostgresTimes.micros(at));
      case long[] array -> statement.setObject(index, array);
      case int[] array -> statement.setObject(index, array);
      case Long[] array -> statement.setObject(index, array);
      case String[] array -> statement.setObject(index, array);
      case byte[][] array -> statement.setObject(index, array);
      case Object other -> throw new IllegalArgumentException("no column for " + other);
    }
  }

  /** What others have told meanwhile, waiting at most so long for it. */
  List<String> notifications(Duration wait) {
    try {
      var told = connection.unwrap(PGConnection.class).getNotifications((int) wait.toMillis());
      if (told == null) return List.of();
      return List.of(told).stream().map(PGNotification::getParameter).toList();
    } catch (SQLException failure) {
      throw meaningOf(failure);
    }
  }

  private RuntimeException meaningOf(SQLException failure) {
    if (!PostgresErrors.isDefinite(failure)) broken = true;
    return errors.meaningOf(failure);
  }

  /** Ends what another thread is waiting for. */
  void abort() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException failure) {
      throw new StoreUnavailable("cannot end a connection", failure);
    }
  }

  /** Nobody is told of what fails then: what was to be committed is. */
  @Override
  public void close() {
    try {
      closing.close(connection, broken && !shared); // its backend may be another client's by now
    } catch (SQLException failure) {
      broken = true;
    }
  }
}
