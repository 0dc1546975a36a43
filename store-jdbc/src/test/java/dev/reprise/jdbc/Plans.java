package dev.reprise.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What PostgreSQL would do for a statement, whatever its parameters are. */
final class Plans {
  private Plans() {}

  static List<String> of(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("DEALLOCATE ALL");
      statement.execute("PREPARE planned AS " + numbered(sql));
      var nulls = new ArrayList<String>();
      sql.chars().filter(c -> c == '?').forEach(_ -> nulls.add("NULL"));
      var lines = new ArrayList<String>();
      var values = nulls.isEmpty() ? "" : "(" + String.join(", ", nulls) + ")";
      var execute = "EXPLAIN EXECUTE planned" + values;
      try (var rows = statement.executeQuery(execute)) {
        while (rows.next()) lines.add(rows.getString(1));
      }
      return lines;
    }
  }

  /** Parameters as PostgreSQL itself writes them. */
  private static String numbered(String sql) {
    var parts = sql.split("\\?", -1);
    var numbered = new StringBuilder(parts[0]);
    for (int i = 1; i < parts.length; i++) numbered.append('$').append(i).append(parts[i]);
    return numbered.toString();
  }
}
