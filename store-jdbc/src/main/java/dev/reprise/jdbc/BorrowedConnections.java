package dev.reprise.jdbc;

import dev.reprise.engine.store.Store.StoreUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Connections of a pool of the user, which get them back as they were. */
final class BorrowedConnections implements ConnectionSource {
  private static final int SOCKET_MILLIS = 15_000;

  /** Local to the transaction, so that nothing of it stays behind. A number as its answer. */
  private static final String SETTINGS =
      """
      SELECT 1
       WHERE set_config('statement_timeout', '10s', true) IS NOT NULL
         AND set_config('lock_timeout', '5s', true) IS NOT NULL
         AND set_config('idle_in_transaction_session_timeout', '2s', true) IS NOT NULL
         AND set_config('synchronous_commit', 'on', true) IS NOT NULL
         AND set_config('enable_seqscan', 'off', true) IS NOT NULL
         AND set_config('enable_bitmapscan', 'off', true) IS NOT NULL
         AND set_config('jit', 'off', true) IS NOT NULL
         AND set_config('plan_cache_mode', 'force_generic_plan', true) IS NOT NULL\
      """;

  /** The search path of the user's connections is theirs: it is another one in our transactions. */
  private static final String SEARCH_PATH =
      "\n   AND set_config('search_path', %s, true) IS NOT NULL";

  private final DataSource pool;
  private final Abandoned abandoned = new Abandoned();

  // As long as the pool has them: each is asked once.
  private final Map<PGConnection, Optional<Abandoned.Backend>> backends =
      Collections.synchronizedMap(new WeakHashMap<>());
  private volatile String settings = SETTINGS;
  private final PostgresErrors errors = new PostgresErrors("the database of the DataSource");

  BorrowedConnections(DataSource pool) {
    this.pool = pool;
  }

  private interface Asking<T> {
    T ask() throws SQLException;
  }

  /** Whether the connections lead to PostgreSQL: a pool does not say so by itself. */
  boolean isPostgres() {
    return answerTo(
        () -> {
          try (var connection = pool.getConnection()) {
            if (!connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
              return false;
            }
            try (var statement = connection.createStatement();
                var columns = statement.executeQuery(PostgresOpening.KIND)) {
              columns.next();
              PostgresOpening.checkKind(PostgresOpening.kind(columns), database());
            }
            return true;
          }
        });
  }

  /**
   * Compares two connections, before anything is prepared on them: a proxy that shares them may
   * lose that, and the error would say nothing of the proxy. A pool without a second one to give is
   * too small, or busy; a node that joins finds out.
   *
   * @throws StoreUnavailable {@code R140} if there is such a proxy
   */
  void compare() {
    try (var first = open("reprise-check");
        var second = open("reprise-check")) {
      Backend.compare(first, second, database());
    } catch (StoreUnavailable failure) {
      if (!failure.isRetryable()) throw failure;
    }
  }

  @Override
  public Session open(String role) {
    return answerTo(this::borrow);
  }

  private <T> T answerTo(Asking<T> asking) {
    try {
      return asking.ask();
    } catch (SQLTransientConnectionException failure) {
      throw new StoreUnavailable(
          """
          the pool has no connection to give: %s. An engine needs at least 2 connections, one of \
          which it keeps.\
          """
              .formatted(failure.getMessage()),
          failure);
    } catch (SQLException failure) {
      throw errors.meaningOf(failure);
    }
  }

  private Session borrow() throws SQLException {
    var connection = pool.getConnection();
    boolean autoCommit = connection.getAutoCommit();
    int timeout = connection.getNetworkTimeout();
    if (!autoCommit) connection.setAutoCommit(true);
    connection.setNetworkTimeout(Runnable::run, SOCKET_MILLIS);
    var physical = physical(connection);
    var session =
        new Session(
            connection,
            errors,
            settings,
            (borrowed, isBroken) -> {
              if (isBroken && physical != null) abandon(physical);
              giveBack(borrowed, autoCommit, timeout);
            });
    attend(session, physical);
    return session;
  }

  /** That of the driver, if the pool lets us have it. */
  private static @Nullable PGConnection physical(Connection connection) throws SQLException {
    return connection.isWrapperFor(PGConnection.class)
        ? connection.unwrap(PGConnection.class)
        : null;
  }

  /** Learns the backend of a connection, and ends those that were given up. */
  private void attend(Session session, @Nullable PGConnection physical) {
    try {
      if (physical != null && !backends.containsKey(physical)) {
        backends.put(physical, Abandoned.of(session));
      }
      abandoned.endAll(session);
    } catch (RuntimeException | Error failure) {
      session.close();
      throw failure;
    }
  }

  /** One that the driver has closed. Any other goes on in the pool, for its next user. */
  private void abandon(PGConnection physical) throws SQLException {
    if (!(physical instanceof Connection connection) || !connection.isClosed()) return;
    var backend = backends.remove(physical);
    if (backend != null) backend.ifPresent(abandoned::add);
  }

  private static void giveBack(Connection connection, boolean autoCommit, int timeout)
      throws SQLException {
    try (connection) {
      if (connection.isClosed()) return;
      connection.setNetworkTimeout(Runnable::run, timeout);
      if (!autoCommit) connection.setAutoCommit(false);
    }
  }

  /** That of a pool is its user's, and says nothing of where Reprise is to be. */
  @Override
  public @Nullable String searchPath() {
    return null;
  }

  @Override
  public void use(String schema) {
    var path = SessionSettings.literal(SchemaPlace.quoted(schema));
    settings = SETTINGS + SEARCH_PATH.formatted(path);
  }

  @Override
  public boolean isKept() {
    return false;
  }

  @Override
  public String database() {
    return errors.database();
  }
}
