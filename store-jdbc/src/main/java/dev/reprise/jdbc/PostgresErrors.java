package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Store.TransitionRefused;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** What PostgreSQL's error codes mean to the engine. */
record PostgresErrors(String database) {
  private static final String FENCED = "RP001"; // raised by our own functions
  private static final String NO_SUCH_INPUT = "RP002";
  private static final String NOT_NOW = "RP003";
  private static final String NO_SUCH_DATABASE = "3D000";
  private static final String LOCK_TIMEOUT = "55P03";
  private static final String FORBIDDEN = "42501";
  private static final Set<String> NOT_THERE = Set.of("42883", "0A000");
  private static final String CANCELLED = "57014";
  private static final Set<String> DAMAGED = Set.of("XX001", "XX002");
  private static final String READ_ONLY = "25006";
  private static final String NO_SCHEMA = "3F000";
  private static final String REJECTED = "08004"; // by the driver: no password, no encryption
  // What was prepared on a connection is not there, or what another client prepared is.
  private static final Set<String> LOST_STATEMENT = Set.of("26000", "42P05");
  private static final Set<String> OCCUPIED = Set.of("42P07", "42710", "42723", "42P06");

  RuntimeException meaningOf(SQLException failure) {
    var state = stateOf(failure);
    if (state.equals(FENCED)) return new Fenced(database + ": " + failure.getMessage());
    if (LOST_STATEMENT.contains(state)) return Backend.shared(database);
    var operators = operatorsTurn(state);
    if (operators != null) return unusable(operators, failure);
    return switch (state.substring(0, 2)) {
      case "22", "23", "54" -> refused(failure);
      case "RP" -> isRefusal(state) ? refused(failure) : unavailable(failure);
      // Lost connections, timeouts, deadlocks, a full disk and whatever else: another attempt may
      // succeed.
      default -> unavailable(failure);
    };
  }

  /**
   * What only an operator can mend, and what to do: a call that is repeated without that fails in
   * the same way. A running engine waits for it all the same, see {@link StoreUnavailable}.
   */
  private static @Nullable Refusal operatorsTurn(String state) {
    if (OCCUPIED.contains(state)) {
      return new Refusal(
          ErrorCode.R115,
          "Something of that name is there already, and it is not Reprise's; choose another schema"
              + " or database.");
    }
    if (state.startsWith("28")) {
      return new Refusal(ErrorCode.R115, "The server refuses the user or the password.");
    }
    return switch (state) {
      case NO_SUCH_DATABASE ->
          new Refusal(ErrorCode.R115, "There is no such database; create it first.");
      case NO_SCHEMA -> new Refusal(ErrorCode.R115, "There is no such schema; create it first.");
      case REJECTED -> new Refusal(ErrorCode.R115, "The connection is not set up as it must be.");
      case FORBIDDEN ->
          new Refusal(ErrorCode.R141, "The database user may not do that; grant it the right.");
      case READ_ONLY ->
          new Refusal(
              ErrorCode.R141,
              "The database can only be read: it is a standby, or was set read-only; connect to the"
                  + " primary, or set default_transaction_read_only off.");
      default -> null;
    };
  }

  private record Refusal(ErrorCode code, String reason) {}

  private static boolean isRefusal(String state) {
    return state.equals(NO_SUCH_INPUT) || state.equals(NOT_NOW);
  }

  private TransitionRefused refused(SQLException failure) {
    return new TransitionRefused(database + " refused the data: " + failure.getMessage(), failure);
  }

  private StoreUnavailable unavailable(SQLException failure) {
    return new StoreUnavailable(database + ": " + text(failure), failure);
  }

  /** The driver names a host that nobody knows in the cause alone. */
  private static String text(SQLException failure) {
    var said = String.valueOf(failure.getMessage());
    if (!(failure.getCause() instanceof UnknownHostException unknown)) return said;
    return "%s The host '%s' is unknown.".formatted(said, unknown.getMessage());
  }

  private StoreUnavailable unusable(Refusal refusal, SQLException failure) {
    return new StoreUnavailable(
        refusal.code(),
        "cannot use %s. %s (%s)".formatted(database, refusal.reason(), failure.getMessage()),
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
        && (!state.startsWith("XX") || DAMAGED.contains(state));
  }

  static boolean isLockTimeout(StoreUnavailable failure) {
    return isOf(failure, LOCK_TIMEOUT);
  }

  /** Whether the database user may not do that. */
  static boolean isForbidden(StoreUnavailable failure) {
    return isOf(failure, FORBIDDEN);
  }

  /** Whether the server has no such function. */
  static boolean isNotThere(StoreUnavailable failure) {
    return failure.getCause() instanceof SQLException cause && NOT_THERE.contains(stateOf(cause));
  }

  /** Whether PostgreSQL has found its own data damaged. */
  static boolean isDamage(StoreUnavailable failure) {
    return failure.getCause() instanceof SQLException cause && DAMAGED.contains(stateOf(cause));
  }

  /**
   * Reads, and says what a broken page means: repeating the question would fail in the same way. A
   * transaction that meets one is repeated all the same, because nothing else can become of it.
   *
   * @throws RepriseException {@code R145} if PostgreSQL has found its own data damaged
   */
  static <T> T reading(String database, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (StoreUnavailable failure) {
      if (!isDamage(failure)) throw failure;
      throw new RepriseException(
          ErrorCode.R145,
          """
          %s has a damaged page or index: %s. Find the cause, which is mostly a disk, and restore a \
          backup\
          """
              .formatted(database, reason(failure)),
          failure);
    }
  }

  /** What the server said, without the hints for those who know its insides. */
  static String reason(StoreUnavailable failure) {
    var cause = failure.getCause() == null ? failure : failure.getCause();
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }

  /** Whether the statement took longer than it may. */
  static boolean isCancelled(StoreUnavailable failure) {
    return isOf(failure, CANCELLED);
  }

  private static boolean isOf(StoreUnavailable failure, String state) {
    return failure.getCause() instanceof SQLException cause && stateOf(cause).equals(state);
  }

  private static String stateOf(SQLException failure) {
    var state = failure.getSQLState();
    return state == null || state.length() != 5 ? "XXXXX" : state;
  }
}
