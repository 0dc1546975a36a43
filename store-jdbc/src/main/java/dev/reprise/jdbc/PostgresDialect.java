package dev.reprise.jdbc;

import dev.reprise.engine.filter.Field.Attribute;
import dev.reprise.engine.filter.Field.Column;
import dev.reprise.engine.filter.Field.InJson;
import dev.reprise.engine.filter.Field.Input;
import dev.reprise.engine.filter.LikePattern;
import java.util.List;

/** How PostgreSQL says it. */
record PostgresDialect() implements Dialect {
  /** {@code OFFSET 0} keeps it from reading the document for each of the columns again. */
  private static final String LOOKUP =
      """
      SELECT jsonb_typeof(node) AS kind, (node #>> '{}') COLLATE "C" AS found
        FROM (SELECT jsonb_path_query_first(%s, ?::jsonpath, '{}', true) AS node OFFSET 0) AS place\
      """;

  @Override
  public String column(Column column) {
    return switch (column) {
      case WORKFLOW_ID -> "runs.workflow_id";
      case RUN_ID -> "runs.run_id::text COLLATE \"C\"";
      case WORKFLOW -> "runs.workflow";
      case PARENT -> "runs.parent";
      case BLOCKED_BY -> "runs.blocked_by COLLATE \"C\"";
      case STARTED_AT -> "runs.started_at";
      case CLOSED_AT -> "runs.closed_at";
    };
  }

  @Override
  public String time() {
    return "timestamptz 'epoch' + ?::bigint * interval '1 microsecond'";
  }

  @Override
  public String ofWorkflowId() {
    return """
    runs.run_key = ANY (ARRAY(
      SELECT run_key FROM workflows WHERE workflow_id = ?
      UNION ALL
      SELECT run_key
        FROM runs
       WHERE workflow_id = ?
         AND status IN ('CONTINUED', 'FAILED', 'CANCELLED', 'TIMED_OUT', 'TERMINATED')))\
    """;
  }

  @Override
  public String lookup(InJson field) {
    return LOOKUP.formatted(
        switch (field) {
          case Attribute _ -> "reprise_json(runs.attributes)";
          case Input _ ->
              """
              (SELECT reprise_json(value)
                           FROM events
                          WHERE events.run_key = runs.run_key AND idx = 1)\
              """;
        });
  }

  /** Strictly: else a name would also look into the elements of an array. */
  @Override
  public List<Object> path(InJson field) {
    return List.of("strict " + Dialect.pathTo(field));
  }

  @Override
  public String retries() {
    return Dialect.retries("(reprise_json(%s.attributes) ->> 'id')");
  }

  @Override
  public String text() {
    return "kind = 'string' AND found";
  }

  /** The type is asked first, because a text need not be a number; nor may it be null. */
  @Override
  public String number(String comparison) {
    return "CASE WHEN kind = 'number' THEN found::numeric "
        + comparison
        + " ?::numeric ELSE false END";
  }

  @Override
  public String truth() {
    return "kind = 'boolean' AND found = ?";
  }

  @Override
  public String like() {
    return "LIKE ? ESCAPE '\\'";
  }

  @Override
  public String pattern(LikePattern pattern) {
    return pattern.text();
  }
}
