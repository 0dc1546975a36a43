package dev.reprise.jdbc;

import dev.reprise.Texts;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables in one schema of a PostgreSQL database.
 *
 * @param server what the database is called in messages
 * @param names the schemas in which engines may be creating tables now, the first is this one
 */
record PostgresSchema(Session session, String server, List<String> names) implements Schema {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresSchema.class);

  private static final String READ_VERSION = "SELECT max(version) FROM schema_version";

  // Any number, the same for all releases.
  private static final String TRY_LOCK = "SELECT pg_try_advisory_xact_lock(7016710934185123421)";
  private static final String LOCK = "SELECT pg_advisory_xact_lock(7016710934185123421)";

  /** Connections that have the lock and could not create our tables: not those of engines. */
  private static final String STRANGERS =
      """
      SELECT format('process id %s, user %s, application %L', pid, usename, application_name)
        FROM pg_locks
        JOIN pg_stat_activity USING (pid)
       WHERE locktype = 'advisory' AND granted AND database = datid AND datname = current_database()
         AND (classid::bigint << 32) | objid::bigint = 7016710934185123421 AND objsubid = 1
         AND NOT EXISTS (
               SELECT 1
                 FROM pg_roles
                WHERE pg_has_role(usesysid, pg_roles.oid, 'MEMBER')
                  AND (has_database_privilege(pg_roles.oid, current_database(), 'CREATE')
                       OR EXISTS (
                            SELECT 1
                              FROM pg_namespace
                             WHERE nspname = ANY (?)
                               AND has_schema_privilege(
                                     pg_roles.oid, pg_namespace.oid, 'CREATE'))))
      """;

  @Override
  public String folder() {
    return "postgres";
  }

  @Override
  public String database() {
    return "the schema '%s' of %s".formatted(names.getFirst(), server);
  }

  @Override
  public boolean isEmpty() {
    return tables().isEmpty();
  }

  @Override
  public boolean isOurs() {
    return place().hasTables();
  }

  @Override
  public String tables() {
    return place().taken();
  }

  private SchemaPlace place() {
    return SchemaPlace.look(session, names.subList(0, 1)).getFirst();
  }

  @Override
  public int version() {
    return session.first(READ_VERSION, columns -> columns.getInt(1)).orElse(0);
  }

  @Override
  public void apply(String script) {
    session.execute(script);
  }

  @Override
  public <T> T inTransaction(Supplier<T> work) {
    return session.inTransaction(
        () -> {
          lock();
          return work.get();
        });
  }

  /**
   * One engine at a time. If a role has the lock that is no engine's, the table of versions does
   * instead; only the very first engines on a database, with no tables yet, might then meet, and
   * all but one would fail.
   */
  private void lock() {
    if (session.first(TRY_LOCK, columns -> columns.getBoolean(1)).orElse(false)) return;
    var strangers =
        session.list(
            STRANGERS, columns -> columns.getString(1), (Object) names.toArray(String[]::new));
    if (strangers.isEmpty()) {
      session.execute(LOCK);
      return;
    }
    LOG.warn(
        "the advisory lock of migrations is held by {}: going on without it",
        Texts.shown(strangers.toString()));
    if (isEmpty()) return;
    session.execute(
        "LOCK TABLE %s.schema_version IN SHARE ROW EXCLUSIVE MODE"
            .formatted(SchemaPlace.quoted(names.getFirst())));
  }
}
