package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Texts;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.StoreProvider.Options;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
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

  /** Checks the server and takes its time. Gives the first schema of the search path, or "". */
  private static String check(
      Session session, String database, DatabaseClock clock, Options options) {
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
    if (!server.isDurable()) {
      LOG.warn(
          "{}: fsync or full_page_writes is off: a crash of the server may lose what was"
              + " acknowledged",
          Texts.shown(database));
    }
    return server.schema();
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

  /**
   * Checks the server, and finds the schema with the tables, which are created if there are none
   * and the options allow that. From then on the connections use that schema.
   */
  static Home open(ConnectionSource source, DatabaseClock clock, Options options) {
    var database = source.database();
    try (var session = source.open("reprise-reader")) {
      var here = check(session, database, clock, options);
      var choice = SchemaChoice.of(database, options.schema(), source.searchPath(), here);
      var place = choice.make(session);
      if (!place.hasTables()) place = create(session, choice, place, options);
      source.use(place.name());
      return new Home(place.name(), choice.rival(place.name()));
    }
  }

  /**
   * @param schema which has the tables
   * @param rival which must not have them too, or empty
   */
  record Home(String schema, String rival) {}

  /**
   * Creates the schema, if need be, and the first tables in it, in one transaction. Other engines
   * may be creating them now, those of earlier releases in another schema: so the choice is made
   * again when all others are kept out.
   */
  private static SchemaPlace create(
      Session session, SchemaChoice choice, SchemaPlace place, Options options) {
    var schema = new PostgresSchema(session, choice.database(), choice.names());
    if (options.readOnly() || !options.migrate()) {
      throw Migrator.outdated(schema.database(), schema.folder(), Migrator.POSTGRES);
    }
    choice.checkRights(place);
    return schema.inTransaction(
        () -> {
          var now = choice.make(session);
          if (now.hasTables()) return now;
          var name = SchemaPlace.quoted(now.name());
          if (!now.exists()) session.execute("CREATE SCHEMA IF NOT EXISTS " + name);
          session.execute("SET LOCAL search_path = " + name);
          new Migrator(schema, Migrator.POSTGRES).applyNext();
          return now;
        });
  }

  static final String OF_ANOTHER_RELEASE =
      """
      SELECT max(version),
             (SELECT count(*) = 2
                FROM pg_class
                JOIN pg_attribute ON attrelid = pg_class.oid
               WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = ?)
                 AND (relname, attname) IN (('schema_version', 'applied_at'), ('run_keys', 'next')))
        FROM schema_version
      """;

  /** What another release has done to the database meanwhile, so that it cannot be opened again. */
  static Optional<RepriseException> otherRelease(Session session, String database, Home home) {
    var schema = new PostgresSchema(session, database, List.of(home.schema()));
    return session
        .first(
            OF_ANOTHER_RELEASE,
            columns -> {
              int version = columns.getInt(1);
              if (!columns.getBoolean(2)) return Migrator.newer(schema, Migrator.POSTGRES, version);
              return Optional.<RepriseException>of(
                  SchemaChoice.twice(database, home.schema(), home.rival()));
            },
            home.rival())
        .orElseThrow();
  }

  static void migrate(Session session, String database, Home home, Options options) {
    if (!session.isIn(home.schema())) {
      throw unusable(
          """
          the settings of a transaction do not hold for the statements that are sent with them to \
          %s: leave preferQueryMode=simple out of the URL of the DataSource\
          """
              .formatted(database));
    }
    var schema = new PostgresSchema(session, database, List.of(home.schema()));
    var migrator = new Migrator(schema, Migrator.POSTGRES);
    if (migrator.isUpToDate()) return;
    if (options.readOnly() || !options.migrate()) {
      throw Migrator.outdated(schema.database(), schema.folder(), Migrator.POSTGRES);
    }
    migrator.migrate();
  }
}
