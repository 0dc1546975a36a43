package dev.reprise.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * A schema of a PostgreSQL database in which the tables of Reprise may be.
 *
 * @param exists whether there is such a schema
 * @param hasTables whether the tables of Reprise are in it
 * @param isUsable whether the user may look up names in it
 * @param isWritable whether the user may create tables in it
 * @param mayCreateIt whether the user may create schemas in the database
 * @param taken names of tables of something else that Reprise needs
 * @param others names of all its tables, the first few of them
 */
record SchemaPlace(
    String name,
    boolean exists,
    boolean hasTables,
    boolean isUsable,
    boolean isWritable,
    boolean mayCreateIt,
    String taken,
    String others,
    String user,
    String database) {

  /** For any number of names, in their order. */
  static final String LOOK =
      """
      SELECT wanted.name, pg_namespace.oid IS NOT NULL,
             (SELECT count(*) = 2
                FROM pg_class
                JOIN pg_attribute ON attrelid = pg_class.oid
               WHERE relnamespace = pg_namespace.oid
                 AND (relname, attname) IN (('schema_version', 'applied_at'), ('run_keys', 'next'))),
             coalesce(has_schema_privilege(pg_namespace.oid, 'USAGE'), false),
             coalesce(has_schema_privilege(pg_namespace.oid, 'CREATE'), false),
             has_database_privilege(current_database(), 'CREATE'),
             (SELECT coalesce(string_agg(relname, ', ' ORDER BY relname), '')
                FROM pg_class
               WHERE relnamespace = pg_namespace.oid
                 AND relname IN ('schema_version', 'nodes', 'workflows', 'runs', 'run_keys', 'events',
                                 'inbox', 'history', 'tasks', 'queues', 'workers')),
             (SELECT coalesce(string_agg(relname, ', '), '')
                FROM (SELECT relname
                        FROM pg_class
                       WHERE relnamespace = pg_namespace.oid
                         AND relkind IN ('r', 'p', 'v', 'm', 'f')
                       ORDER BY relname
                       LIMIT 5) AS first_few),
             current_user, current_database()
        FROM unnest(?::text[]) WITH ORDINALITY AS wanted (name, place)
        LEFT JOIN pg_namespace ON nspname = wanted.name
       ORDER BY place
      """;

  static List<SchemaPlace> look(Session session, List<String> names) {
    return session.list(LOOK, SchemaPlace::read, (Object) names.toArray(String[]::new));
  }

  private static SchemaPlace read(ResultSet columns) throws SQLException {
    return new SchemaPlace(
        columns.getString(1),
        columns.getBoolean(2),
        columns.getBoolean(3),
        columns.getBoolean(4),
        columns.getBoolean(5),
        columns.getBoolean(6),
        columns.getString(7),
        columns.getString(8),
        columns.getString(9),
        columns.getString(10));
  }

  /** What an administrator has to run before the engine can create its tables; empty if nothing. */
  String missingRights() {
    if (!exists) {
      if (mayCreateIt) return "";
      return "CREATE SCHEMA %s AUTHORIZATION %s;".formatted(quoted(name), quoted(user));
    }
    if (isUsable && isWritable) return "";
    return "GRANT USAGE, CREATE ON SCHEMA %s TO %s;".formatted(quoted(name), quoted(user));
  }

  /** A name as it stands in a statement. */
  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
