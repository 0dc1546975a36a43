package dev.reprise.jdbc;

import dev.reprise.engine.store.Store.StoreUnavailable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a connection of our own. They are set after connecting and read back, not sent along
 * as start-up options: PgBouncer refuses those, or drops them and says nothing.
 *
 * @param values by name, as the server shows them
 */
record SessionSettings(Map<String, String> values) {
  /**
   * No sequential scans: every statement has its index, also when the table is still small. And no
   * bitmaps: by them PostgreSQL does not learn which rows are gone, and where rows come and go, as
   * in {@code inbox}, it would look at them again and again.
   */
  private static final Map<String, String> ENGINE = new LinkedHashMap<>();

  static {
    ENGINE.put("statement_timeout", "10s");
    ENGINE.put("lock_timeout", "5s");
    ENGINE.put("idle_in_transaction_session_timeout", "2s");
    ENGINE.put("synchronous_commit", "on");
    ENGINE.put("default_transaction_isolation", "read committed");
    ENGINE.put("enable_seqscan", "off");
    ENGINE.put("enable_bitmapscan", "off");
    ENGINE.put("jit", "off");
    ENGINE.put("plan_cache_mode", "force_generic_plan");
  }

  // The user may have a statement timeout of a few milliseconds, which counts until ours is set.
  private static final int TRIES = 5;

  /**
   * @param role what the connection is for; engines of earlier schema versions look for it
   * @param schema which has the tables, or null to leave the search path as it is
   */
  static SessionSettings of(String role, boolean readOnly, @Nullable String schema) {
    var values = new LinkedHashMap<>(ENGINE);
    values.put("application_name", role);
    if (readOnly) values.put("default_transaction_read_only", "on");
    if (schema != null) values.put("search_path", SchemaPlace.quoted(schema));
    return new SessionSettings(values);
  }

  /**
   * Sets all and reads them back.
   *
   * @throws StoreUnavailable {@code R140} if some did not take
   */
  void apply(Session session, String database) {
    int pid = set(session);
    session.expect(pid);
    var names = List.copyOf(values.keySet());
    var found =
        session.ask(
            select(name -> "current_setting('%s')".formatted(name)),
            columns -> {
              session.checked(columns, 1);
              var texts = new ArrayList<String>();
              for (int i = 0; i < names.size(); i++) texts.add(columns.getString(i + 2));
              return texts;
            });
    for (int i = 0; i < names.size(); i++) {
      var wanted = values.get(names.get(i));
      if (found.get(i).equals(wanted)) continue;
      throw Backend.unsettled(database, names.get(i), String.valueOf(wanted), found.get(i));
    }
  }

  private int set(Session session) {
    var sql =
        select(
            name ->
                "set_config('%s', %s, false)"
                    .formatted(name, literal(String.valueOf(values.get(name)))));
    for (int tries = 1; ; tries++) {
      try {
        return session.ask(sql, columns -> columns.getInt(1));
      } catch (StoreUnavailable failure) {
        if (tries == TRIES || !PostgresErrors.isCancelled(failure)) throw failure;
      }
    }
  }

  static String literal(String value) {
    return "'" + value.replace("'", "''") + "'"; // as with standard_conforming_strings
  }

  private String select(UnaryOperator<String> term) {
    return values.keySet().stream()
        .map(term)
        .collect(Collectors.joining(", ", "SELECT pg_backend_pid(), ", ""));
  }
}
