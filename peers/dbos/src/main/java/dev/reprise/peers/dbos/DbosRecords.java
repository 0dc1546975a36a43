package dev.reprise.peers.dbos;

import dev.reprise.verification.bench.Records;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The tables of the library, read through a connection of its own. For one thread. */
final class DbosRecords implements Records {
  private static final String COMPLETED =
      "SELECT count(*) FROM dbos.workflow_status WHERE status = 'SUCCESS'";
  private static final String STEPS =
      """
      SELECT o.function_id, o.completed_at_epoch_ms
        FROM dbos.workflow_status AS w
        LEFT JOIN dbos.operation_outputs AS o ON o.workflow_uuid = w.workflow_uuid
       WHERE w.workflow_uuid = ? AND w.status = 'SUCCESS'
       ORDER BY o.function_id
      """;

  private final Connection connection;

  DbosRecords(String url) {
    try {
      connection = DriverManager.getConnection(url);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the records", e);
    }
  }

  /** How many workflows have completed. */
  int completed() {
    try (var statement = connection.prepareStatement(COMPLETED);
        var rows = statement.executeQuery()) {
      rows.next();
      return rows.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot count workflows", e);
    }
  }

  @Override
  public Optional<List<Step>> steps(String workflowId) {
    try (var statement = connection.prepareStatement(STEPS)) {
      statement.setString(1, workflowId);
      return steps(statement);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the steps of " + workflowId, e);
    }
  }

  private static Optional<List<Step>> steps(PreparedStatement statement) throws SQLException {
    try (var rows = statement.executeQuery()) {
      if (!rows.next()) return Optional.empty();
      var steps = new ArrayList<Step>();
      do {
        if (rows.getObject(1) != null) steps.add(step(rows));
      } while (rows.next());
      return Optional.of(steps);
    }
  }

  /** The jobs whose steps are read have nothing else, so that its number is the index. */
  private static Step step(ResultSet row) throws SQLException {
    return new Step(row.getInt(1), Instant.ofEpochMilli(row.getLong(2)));
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("cannot close", e);
    }
  }
}
