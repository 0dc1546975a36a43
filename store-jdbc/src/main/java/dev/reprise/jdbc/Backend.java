package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The server process behind a connection. Each connection has one of its own, for as long as it
 * lives, unless a proxy shares one among several. Then locks and the right to write are with
 * several connections at once, and a fenced node could go on writing. See ADR 0029.
 *
 * @param pid its process id
 * @param server when its server started: two servers may have processes of the same number
 */
record Backend(int pid, String server) {
  static final String ASK = "SELECT pg_backend_pid(), pg_postmaster_start_time()::text";

  // A proxy under load may serve two connections by two processes, and swaps them soon.
  private static final int ROUNDS = 8;

  static Backend read(ResultSet columns) throws SQLException {
    return new Backend(columns.getInt(1), columns.getString(2));
  }

  /**
   * Compares two connections that are open at the same time, several times.
   *
   * @throws StoreUnavailable {@code R140} if they share a process, or one of them changes it
   */
  static void compare(Session first, Session second, String database) {
    var ofFirst = first.backend();
    var ofSecond = second.backend();
    if (ofFirst.equals(ofSecond)) throw shared(database);
    for (int i = 0; i < ROUNDS; i++) {
      checkSteady(first, ofFirst, database);
      checkSteady(second, ofSecond, database);
    }
  }

  /** Twice in a row: a proxy that takes its two connections in turn gives the other one then. */
  private static void checkSteady(Session session, Backend expected, String database) {
    for (int i = 0; i < 2; i++) {
      if (!session.backend().equals(expected)) throw shared(database);
    }
  }

  static StoreUnavailable shared(String database) {
    return new StoreUnavailable(
        ErrorCode.R140,
        """
        %s is behind a proxy that shares server connections among its clients, as PgBouncer does \
        with pool_mode = transaction or statement. Locks do not hold there, and an engine that was \
        given up could go on writing. Connect to PostgreSQL itself, or set pool_mode = session for \
        this database; a hosted pooler has another port for that.\
        """
            .formatted(database),
        null);
  }

  /** A proxy drops settings. */
  static StoreUnavailable unsettled(String database, String name, String wanted, String found) {
    return new StoreUnavailable(
        ErrorCode.R140,
        """
        a connection to %s does not keep its settings: %s is '%s' after it was set to '%s'. A proxy \
        in between drops it. Connect to PostgreSQL itself, or through a pool in session mode.\
        """
            .formatted(database, name, found, wanted),
        null);
  }
}
