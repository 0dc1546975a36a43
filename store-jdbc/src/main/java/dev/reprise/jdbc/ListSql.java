package dev.reprise.jdbc;

import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.Grouping;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lists and counts of runs by a filter. */
record ListSql(Dialect dialect) {
  private static final String LIST =
      """
      SELECT %s, node
        FROM runs
        LEFT JOIN nodes ON node_key = owner
       WHERE runs.run_key < ?
         AND (%s)
       ORDER BY runs.run_key DESC
       LIMIT ?
      """;

  Sql list(Filter filter, long beforeKey, int limit) {
    var condition = FilterSql.condition(dialect, filter);
    var parameters = new ArrayList<Object>();
    parameters.add(beforeKey);
    parameters.addAll(condition.parameters());
    parameters.add(limit);
    return new Sql(LIST.formatted(RunColumns.ALL, condition.text()), parameters);
  }

  private static final String COUNT = "SELECT count(*) FROM runs WHERE %s";

  Sql count(Filter filter) {
    return with(COUNT, filter);
  }

  private static final String BY_STATUS =
      """
      SELECT count(*), runs.status, runs.compensating
        FROM runs
       WHERE %s
       GROUP BY runs.status, runs.compensating
      """;

  private static final String BY_WORKFLOW =
      """
      SELECT count(*), runs.workflow
        FROM runs
       WHERE %s
       GROUP BY runs.workflow
      """;

  Sql countBy(Filter filter, Grouping grouping) {
    return switch (grouping) {
      case STATUS -> with(BY_STATUS, filter);
      case WORKFLOW -> with(BY_WORKFLOW, filter);
    };
  }

  private Sql with(String statement, Filter filter) {
    var condition = FilterSql.condition(dialect, filter);
    return new Sql(statement.formatted(condition.text()), condition.parameters());
  }

  /** How many there are of a group. */
  record Count(String group, long number) {

    static Jdbc.Row<Count> of(Grouping grouping) {
      return columns -> new Count(group(grouping, columns), columns.getLong(1));
    }

    private static String group(Grouping grouping, ResultSet columns) throws SQLException {
      return switch (grouping) {
        case STATUS -> new StoredStatus(columns.getString(2), columns.getBoolean(3)).shown().name();
        case WORKFLOW -> columns.getString(2);
      };
    }

    /** A closed run may have been undone or not; both are the same group. */
    static Map<String, Long> sums(List<Count> counts) {
      var sums = new HashMap<String, Long>();
      for (var count : counts) sums.merge(count.group, count.number, Long::sum);
      return sums;
    }
  }
}
