package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.store.StoreProvider.Options;
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
             clock_timestamp()
      """;

  private static final int CLOCK_READINGS = 10; // the quickest answer is the best of them

  private record Server(
      int number, String version, boolean isDurable, String isolation, String schema) {}

  /** Checks the server and takes its time. */
  static void check(Session session, String database, DatabaseClock clock) {
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
                      columns.getString(5));
                })
            .orElseThrow();
    check(server, database);
    for (int i = 0; i < CLOCK_READINGS; i++) {
      session.list(Presence.NOW, columns -> clock.read(columns, 1));
    }
    if (server.isDurable()) return;
    LOG.warn(
        "{}: fsync or full_page_writes is off: a crash of the server may lose what was"
            + " acknowledged",
        database);
  }

  private static void check(Server server, String database) {
    if (server.number() < OLDEST) {
      throw new RepriseException(
          ErrorCode.R115,
          "%s is PostgreSQL %s: use version 14 or newer".formatted(database, server.version()));
    }
    if (!server.isolation().equals("read committed")) {
      throw new RepriseException(
          ErrorCode.R115,
          "connections to %s have transaction isolation '%s': set it to 'read committed'"
              .formatted(database, server.isolation()));
    }
    if (server.schema().isEmpty()) {
      throw new RepriseException(
          ErrorCode.R115,
          "%s has no schema of its search_path: create it first".formatted(database));
    }
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
