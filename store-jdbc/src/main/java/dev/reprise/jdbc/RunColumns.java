package dev.reprise.jdbc;

import dev.reprise.Status;
import java.sql.ResultSet;
import java.sql.SQLException;

/** What every query selects of {@code runs}, ahead of the owner's UUID if it wants that. */
final class RunColumns {
  static final String ALL =
      """
      runs.run_key, runs.run_id, runs.workflow_id, runs.workflow, runs.status, runs.compensating,
             runs.wake_at, runs.started_at, runs.closed_at, runs.blocked_by, runs.crashes,
             runs.parent, runs.attributes\
      """;

  static final int OWNER = 14;

  private RunColumns() {}

  static Status status(ResultSet columns) throws SQLException {
    return new StoredStatus(columns.getString(5), columns.getBoolean(6)).shown();
  }
}
