package dev.reprise.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Everything that is in the tables of a database. */
final class Dump {
  private Dump() {}

  /** A line a row, in the order of tables and rows. */
  static List<String> of(String url) {
    try (var connection = DriverManager.getConnection(url)) {
      var lines = new ArrayList<String>();
      for (var table : tables(connection)) {
        rows(connection, table).stream().sorted().forEach(row -> lines.add(table + row));
      }
      return lines;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> tables(Connection connection) throws SQLException {
    var schema = connection.getSchema();
    var found = new ArrayList<String>();
    var types = new String[] {"TABLE"};
    try (var tables = connection.getMetaData().getTables(null, schema, "%", types)) {
      while (tables.next()) found.add(tables.getString("TABLE_NAME"));
    }
    return found.stream().sorted().toList();
  }

  private static List<String> rows(Connection connection, String table) throws SQLException {
    var found = new ArrayList<String>();
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT * FROM " + table)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        var cells = new ArrayList<String>();
        for (int i = 1; i <= columns; i++) cells.add(text(rows.getObject(i)));
        found.add(cells.toString());
      }
    }
    return found;
  }

  private static String text(Object value) {
    return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value);
  }
}
