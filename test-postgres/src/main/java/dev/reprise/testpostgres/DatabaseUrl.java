package dev.reprise.testpostgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.regex.Pattern;

/** A JDBC URL taken apart. The parameters begin with a question mark, if there are any. */
record DatabaseUrl(String host, int port, String database, String parameters) {
  private static final int DEFAULT_PORT = 5432;
  private static final Pattern URL =
      Pattern.compile("jdbc:postgresql://([^/:?,]+)(?::(\\d+))?/([^?]*)(\\?.*)?");

  static DatabaseUrl parse(String url) {
    var parts = URL.matcher(url);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not jdbc:postgresql://host:port/database?…: " + url);
    }
    var port = parts.group(2) == null ? DEFAULT_PORT : Integer.parseInt(parts.group(2));
    var parameters = parts.group(4) == null ? "" : parts.group(4);
    return new DatabaseUrl(parts.group(1), port, parts.group(3), parameters);
  }

  DatabaseUrl of(String otherDatabase) {
    return new DatabaseUrl(host, port, otherDatabase, parameters);
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(toString());
  }

  void execute(String sql) {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** The only value of the answer, as text. */
  String ask(String sql) {
    try (var connection = connect();
        var statement = connection.createStatement();
        var columns = statement.executeQuery(sql)) {
      columns.next();
      return String.valueOf(columns.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Override
  public String toString() {
    return "jdbc:postgresql://" + host + ":" + port + "/" + database + parameters;
  }
}
