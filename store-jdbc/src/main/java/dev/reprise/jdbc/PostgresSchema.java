package dev.reprise.jdbc;

import dev.reprise.Texts;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables in the current schema of a PostgreSQL database. */
record PostgresSchema(Session session, String database) implements Schema {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresSchema.class);

  private static final String COUNT_TABLES =
      """
      SELECT count(*)
        FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace
         AND relname IN ('schema_version', 'nodes', 'workflows', 'runs', 'run_keys', 'events', 'inbox',
                         'history', 'tasks', 'queues', 'workers')
      """;

  private static final String COUNT_MARKS =
      """
      SELECT count(*)
        FROM pg_class
        JOIN pg_attribute ON attrelid = pg_class.oid
       WHERE relnamespace = current_schema()::regnamespace
         AND (relname, attname) IN (('schema_version', 'applied_at'), ('run_keys', 'next'))
      """;

  private static final String READ_VERSION = "SELECT max(version) FROM schema_version";

  // Any number, the same for all releases.
  private static final String TRY_LOCK = "SELECT pg_try_advisory_xact_lock(7016710934185123421)";
  private static final String LOCK = "SELECT pg_advisory_xact_lock(7016710934185123421)";

  /** Connections that have the lock and could not create a table here: not those of engines. */
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
                  AND has_schema_privilege(pg_roles.oid, current_schema(), 'CREATE'))
      """;

  private static final String LOCK_VERSIONS =
      "LOCK TABLE schema_version IN SHARE ROW EXCLUSIVE MODE";

  @Override
  public String folder() {
    return "postgres";
  }

  @Override
  public boolean isEmpty() {
    return number(COUNT_TABLES) == 0;
  }

  @Override
  public boolean isOurs() {
    return number(COUNT_MARKS) == 2;
  }

  @Override
  public int version() {
    return number(READ_VERSION);
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
    var strangers = session.list(STRANGERS, columns -> columns.getString(1));
    if (strangers.isEmpty()) {
      session.execute(LOCK);
      return;
    }
    LOG.warn(
        "the advisory lock of migrations is held by {}: going on without it",
        Texts.shown(strangers.toString()));
    if (!isEmpty()) session.execute(LOCK_VERSIONS);
  }

  private int number(String sql) {
    return session.first(sql, columns -> columns.getInt(1)).orElse(0);
  }
}
