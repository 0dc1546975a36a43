package dev.reprise.jdbc;

import java.util.function.Supplier;

/** The tables in the current schema of a PostgreSQL database. */
record PostgresSchema(Session session, String database) implements Schema {
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
  private static final String LOCK = "SELECT pg_advisory_xact_lock(7016710934185123421)";

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
          session.execute(LOCK);
          return work.get();
        });
  }

  private int number(String sql) {
    return session.first(sql, columns -> columns.getInt(1)).orElse(0);
  }
}
