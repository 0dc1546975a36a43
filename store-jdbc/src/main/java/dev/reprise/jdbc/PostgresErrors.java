package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Store.TransitionRefused;
import java.sql.SQLException;
import org.postgresql.util.PSQLException;

/** What PostgreSQL's error codes mean to the engine. */
record PostgresErrors(String database) {
  private static final String FENCED = "RP001"; // raised by our own functions
  private static final String NO_SUCH_INPUT = "RP002";
  private static final String NOT_NOW = "RP003";
  private static final String NO_SUCH_DATABASE = "3D000";
  private static final String LOCK_TIMEOUT = "55P03";
  private static final String FORBIDDEN = "42501";

  RuntimeException meaningOf(SQLException failure) {
    var state = stateOf(failure);
    if (state.equals(FENCED)) return new Fenced(database + ": " + failure.getMessage());
    if (state.equals(NO_SUCH_DATABASE)) {
      return notOurs("There is no such database; create it first.", failure);
    }
    return switch (state.substring(0, 2)) {
      case "28" -> notOurs("The server refuses the user or the password.", failure);
      case "22", "23", "54" -> refused(failure);
      case "RP" -> isRefusal(state) ? refused(failure) : unavailable(failure);
      // Lost connections, timeouts, deadlocks, a full disk and whatever else: another attempt may
      // succeed.
      default -> unavailable(failure);
    };
  }

  private static boolean isRefusal(String state) {
    return state.equals(NO_SUCH_INPUT) || state.equals(NOT_NOW);
  }

  private TransitionRefused refused(SQLException failure) {
    return new TransitionRefused(database + " refused the data: " + failure.getMessage(), failure);
  }

  private StoreUnavailable unavailable(SQLException failure) {
    return new StoreUnavailable(database + ": " + failure.getMessage(), failure);
  }

  private RepriseException notOurs(String reason, SQLException failure) {
    return new RepriseException(
        ErrorCode.R115,
        "cannot use %s. %s (%s)".formatted(database, reason, failure.getMessage()),
        failure);
  }

  /**
   * Whether the server itself has said that the statement failed, and goes on with the connection.
   * After anything else it may have been committed all the same.
   */
  static boolean isDefinite(SQLException failure) {
    var state = stateOf(failure);
    return failure instanceof PSQLException reported
        && reported.getServerErrorMessage() != null
        && !state.startsWith("08")
        && !state.startsWith("57P")
        && !state.startsWith("XX");
  }

  static boolean isLockTimeout(StoreUnavailable failure) {
    return isOf(failure, LOCK_TIMEOUT);
  }

  /** Whether the database user may not do that. */
  static boolean isForbidden(StoreUnavailable failure) {
    return isOf(failure, FORBIDDEN);
  }

  private static boolean isOf(StoreUnavailable failure, String state) {
    return failure.getCause() instanceof SQLException cause && stateOf(cause).equals(state);
  }

  private static String stateOf(SQLException failure) {
    var state = failure.getSQLState();
    return state == null || state.length() != 5 ? "XXXXX" : state;
  }
}
