package dev.reprise.jdbc;

import dev.reprise.Texts;
import dev.reprise.engine.store.Inconsistency;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL's own check of its indexes, by the extension {@code amcheck}: where that is created in
 * the database, and the user may call it.
 */
record IndexCheck(Session session) {
  private static final Logger LOG = LoggerFactory.getLogger(IndexCheck.class);

  private static final String AMCHECK =
      """
      SELECT format('SELECT %I.bt_index_check(?::regclass, true)', nspname)
        FROM pg_extension
        JOIN pg_namespace ON pg_namespace.oid = extnamespace
       WHERE CASE extname
               WHEN 'amcheck' THEN has_function_privilege(
                 format('%I.bt_index_check(regclass, boolean)', nspname), 'EXECUTE')
               ELSE false
             END
      """;

  private static final String INDEXES =
      """
      SELECT indexrelid::regclass::text
        FROM pg_index
        JOIN pg_class ON pg_class.oid = indexrelid
        JOIN pg_am ON pg_am.oid = relam
       WHERE amname = 'btree' AND relnamespace = current_schema()::regnamespace
         AND indisvalid AND indisready
       ORDER BY 1
      """;

  /** What is wrong with indexes of the current schema. */
  List<Inconsistency> damaged() {
    var check = session.first(AMCHECK, columns -> columns.getString(1));
    if (check.isEmpty()) return List.of();
    return session.list(INDEXES, columns -> columns.getString(1)).stream()
        .map(index -> damage(check.get(), index))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<Inconsistency> damage(String check, String index) {
    try {
      session.list(check, columns -> 1, index);
      return Optional.empty();
    } catch (StoreUnavailable failure) {
      if (PostgresErrors.isDamage(failure)) {
        return Optional.of(
            Inconsistency.ofDatabase("PostgreSQL's check: " + PostgresErrors.reason(failure)));
      }
      if (!PostgresErrors.isCancelled(failure) && !PostgresErrors.isLockTimeout(failure)) {
        throw failure;
      }
      LOG.info("index {} was not checked, that takes too long: use pg_amcheck", Texts.shown(index));
      return Optional.empty();
    }
  }
}
