package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Texts;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.StoreProvider.Options;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is looked at before a PostgreSQL database is used. */
final class PostgresOpening {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresOpening.class);
  private static final int OLDEST = 140_000; // PostgreSQL 14

  private PostgresOpening() {}

  static final String SERVER =
      """
      SELECT current_setting('server_version_num')::int, current_setting('server_version'),
             current_setting('fsync')::boolean AND current_setting('full_page_writes')::boolean,
             current_setting('transaction_isolation'), coalesce(current_schema(), ''),
             clock_timestamp(), current_setting('server_encoding'), pg_is_in_recovery()
      """;

  /** Asked before everything else, which other products may not understand. */
  static final String KIND = "SELECT version()";

  /** What some of those that speak PostgreSQL's protocol say of themselves, and their names. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "CockroachDB", "CockroachDB",
          "-YB-", "YugabyteDB",
          "Greenplum", "Greenplum",
          "Redshift", "Amazon Redshift",
          "Materialize", "Materialize",
          "RisingWave", "RisingWave",
          "QuestDB", "QuestDB",
          "CrateDB", "CrateDB");

  private static final int CLOCK_READINGS = 10; // the quickest answer is the best of them

  private record Server(
      int number,
      String version,
      boolean isDurable,
      String isolation,
      String schema,
      String encoding,
      boolean isStandby) {}

  static String kind(ResultSet columns) throws SQLException {
    return columns.getString(1);
  }

  /**
   * Refuses what speaks PostgreSQL's protocol and is something else: advisory locks, notifications
   * and row locks are different there, or are not there.
   *
   * @param version what {@code version()} says
   */
  static void checkKind(String version, String database) {
    for (var other : OTHERS.entrySet()) {
      if (version.contains(other.getKey())) throw notPostgres(database, other.getValue());
    }
    if (!version.startsWith("PostgreSQL ")) throw notPostgres(database, "'" + version + "'");
  }

  private static StoreUnavailable notPostgres(String database, String product) {
    return unusable(
        "%s is %s, which has other locks than PostgreSQL: use PostgreSQL 14 or newer"
            .formatted(database, product));
  }

  /** Checks the server and takes its time. */
  static void check(Session session, String database, DatabaseClock clock, Options options) {
    var server =
        session
            .first(
                SERVER,
                columns -> {
                  clock.read(columns, 6);
                  return new Server(
                      columns.getInt(1),
                      columns.getString(2),
                      columns.getBoolean(3),
                      columns.getString(4),
                      columns.getString(5),
                      columns.getString(7),
                      columns.getBoolean(8));
                })
            .orElseThrow();
    if (server.isStandby() && !options.readOnly()) throw standby(database);
    check(server, database);
    for (int i = 0; i < CLOCK_READINGS; i++) {
      session.list(Presence.NOW, columns -> clock.read(columns, 1));
    }
    if (server.isDurable()) return;
    LOG.warn(
        "{}: fsync or full_page_writes is off: a crash of the server may lose what was"
            + " acknowledged",
        Texts.shown(database));
  }

  private static void check(Server server, String database) {
    if (server.number() < OLDEST) {
      throw unusable(
          "%s is PostgreSQL %s: use version 14 or newer".formatted(database, server.version()));
    }
    if (!server.encoding().equals("UTF8")) {
      throw unusable(
          """
          %s has the encoding %s, which cannot keep every text: create a database with \
          ENCODING 'UTF8' TEMPLATE template0\
          """
              .formatted(database, server.encoding()));
    }
    if (!server.isolation().equals("read committed")) {
      throw unusable(
          "connections to %s have transaction isolation '%s': set it to 'read committed'"
              .formatted(database, server.isolation()));
    }
    if (server.schema().isEmpty()) {
      throw unusable("%s has no schema of its search_path: create it first".formatted(database));
    }
  }

  /** It can be read, and so commands that only look may use it. */
  private static StoreUnavailable standby(String database) {
    return unusable(
        """
        %s is a standby, which can only be read: connect to the primary. With several hosts in the \
        URL add targetServerType=primary\
        """
            .formatted(database));
  }

  private static StoreUnavailable unusable(String why) {
    return new StoreUnavailable(ErrorCode.R115, why, null);
  }

  static Optional<RepriseException> newer(Session session, String database) {
    return new Migrator(new PostgresSchema(session, database), Migrator.POSTGRES).newer();
  }

  static void migrate(Session session, String database, Options options) {
    var migrator = new Migrator(new PostgresSchema(session, database), Migrator.POSTGRES);
    if (migrator.isUpToDate()) return;
    if (options.readOnly() || !options.migrate()) {
      throw Migrator.outdated(database, "postgres", Migrator.POSTGRES);
    }
    migrator.migrate();
  }
}
