package dev.reprise.jdbc;

import dev.reprise.engine.filter.Field.Column;
import dev.reprise.engine.filter.Field.InJson;
import dev.reprise.engine.filter.Field.Index;
import dev.reprise.engine.filter.Field.Key;
import dev.reprise.engine.filter.LikePattern;
import java.util.List;

/** In what the databases differ when a filter is translated. */
sealed interface Dialect permits PostgresDialect, SqliteDialect {

  /** A column, compared byte by byte if it is a text. */
  String column(Column column);

  /** A parameter that is a time. */
  String time();

  /** All runs of a workflow id, by indexes; the id is a parameter, twice. */
  String ofWorkflowId();

  /**
   * A row with the columns {@code kind} and {@code found}: the type of what is at a place of a
   * document, null if nothing is there or it is no JSON, and its value.
   */
  String lookup(InJson field);

  /** The parameters of the lookup. */
  List<Object> path(InJson field);

  /** That a text was found, which follows. */
  String text();

  /** That a number was found, which compares like this with a parameter. */
  String number(String comparison);

  /** That a truth value was found, the one that the parameter names. */
  String truth();

  /** That the text in front of it has the form that the parameter says. */
  String like();

  /** That form. */
  String pattern(LikePattern pattern);

  /** That an activity of the run is between two attempts. */
  String retries();

  /** An attempt has failed, and the same activity has not been heard of since. */
  static String retries(String id) {
    return """
    EXISTS (
      SELECT 1
        FROM events AS retry
       WHERE retry.run_key = runs.run_key AND retry.type = 4
         AND NOT EXISTS (
               SELECT 1
                 FROM events AS later
                WHERE later.run_key = retry.run_key AND later.idx > retry.idx
                  AND later.type IN (2, 3, 4, 15, 18, 19)
                  AND %s = %s))\
    """
        .formatted(id.formatted("later"), id.formatted("retry"));
  }

  /** The way to a field, which SQLite and the paths of PostgreSQL write alike. */
  static String pathTo(InJson field) {
    var path = new StringBuilder("$");
    for (var step : field.path()) {
      switch (step) {
        case Key(var name) -> path.append(".\"").append(name).append('"');
        case Index(var number) -> path.append('[').append(number).append(']');
      }
    }
    return path.toString();
  }
}
