package dev.reprise.jdbc;

import dev.reprise.engine.filter.Field.Attribute;
import dev.reprise.engine.filter.Field.Column;
import dev.reprise.engine.filter.Field.InJson;
import dev.reprise.engine.filter.Field.Input;
import dev.reprise.engine.filter.LikePattern;
import java.util.List;

/** How SQLite says it. */
record SqliteDialect() implements Dialect {
  /** What is no JSON would be an error, so it is asked first. */
  private static final String LOOKUP =
      """
      SELECT CASE WHEN json_valid(doc) THEN json_type(doc, ?) END AS kind,
             CASE WHEN json_valid(doc) THEN json_extract(doc, ?) END AS found
        FROM (%s)\
      """;

  @Override
  public String column(Column column) {
    return switch (column) {
      case WORKFLOW_ID -> "runs.workflow_id";
      case RUN_ID -> "runs.run_id";
      case WORKFLOW -> "runs.workflow";
      case PARENT -> "runs.parent";
      case BLOCKED_BY -> "runs.blocked_by";
      case STARTED_AT -> "runs.started_at";
      case CLOSED_AT -> "runs.closed_at";
    };
  }

  @Override
  public String time() {
    return "?";
  }

  @Override
  public String ofWorkflowId() {
    return """
    runs.run_key IN (
      SELECT run_key FROM workflows WHERE workflow_id = ?
      UNION ALL
      SELECT run_key
        FROM runs
       WHERE workflow_id = ?
         AND status IN ('CONTINUED', 'FAILED', 'CANCELLED', 'TIMED_OUT', 'TERMINATED'))\
    """;
  }

  @Override
  public String lookup(InJson field) {
    return LOOKUP.formatted(
        switch (field) {
          case Attribute _ -> "SELECT runs.attributes AS doc";
          case Input _ ->
              """
              SELECT CAST(value AS TEXT) AS doc
                        FROM events
                       WHERE events.run_key = runs.run_key AND idx = 1\
              """;
        });
  }

  @Override
  public List<Object> path(InJson field) {
    var path = Dialect.pathTo(field);
    return List.of(path, path);
  }

  @Override
  public String retries() {
    return Dialect.retries(
        "(CASE WHEN json_valid(CAST(%1$s.attributes AS TEXT))"
            + " THEN json_extract(CAST(%1$s.attributes AS TEXT), '$.id') END)");
  }

  @Override
  public String text() {
    return "kind = 'text' AND found";
  }

  @Override
  public String number(String comparison) {
    return "kind IN ('integer', 'real') AND found " + comparison + " CAST(? AS NUMERIC)";
  }

  @Override
  public String truth() {
    return "kind = ?";
  }

  @Override
  public String like() {
    return "GLOB ?"; // LIKE does not mind case in SQLite
  }

  @Override
  public String pattern(LikePattern pattern) {
    return pattern.glob();
  }
}
