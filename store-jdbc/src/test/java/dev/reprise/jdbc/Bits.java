package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.DriverManager;
import java.sql.SQLException;

/** Changes bits of stored values, behind the back of the store. */
record Bits(String url) {

  void ofEvent(long run, int index) {
    flip("events", "value", "run_key = %d AND idx = %d".formatted(run, index));
  }

  void ofInputs(long run) {
    flip("inbox", "value", "run_key = %d".formatted(run));
  }

  void ofStart(long run) {
    flip("tasks", "start_value", "run_key = %d AND idx = 0".formatted(run));
  }

  /** The third bit of the first byte: a digit becomes another digit, and the JSON stays valid. */
  void flip(String table, String column, String where) {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery("SELECT %s FROM %s WHERE %s".formatted(column, table, where))) {
      assertThat(rows.next()).isTrue();
      var value = rows.getBytes(1);
      rows.close();
      value[value[0] == '"' ? 1 : 0] ^= 4;
      var update = "UPDATE %s SET %s = ? WHERE %s".formatted(table, column, where);
      try (var changing = connection.prepareStatement(update)) {
        changing.setBytes(1, value);
        assertThat(changing.executeUpdate()).isPositive();
      }
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Changes rows by hand. */
  void execute(String sql) {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).as(sql).isPositive();
    } catch (SQLException failure) {
      throw new IllegalStateException(sql, failure);
    }
  }
}
