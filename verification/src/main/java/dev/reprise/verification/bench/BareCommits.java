package dev.reprise.verification.bench;

import dev.reprise.engine.store.EventRow;
import java.sql.SQLException;
import java.util.List;

/** The yardstick of latency: the rows of a workflow, inserted and committed one by one. */
final class BareCommits {
  private final BareTable table;
  private final List<EventRow> events;
  private long run;

  BareCommits(BareTable table, List<EventRow> events) {
    this.table = table;
    this.events = events;
  }

  /** Inserts and commits each row. */
  void run() throws SQLException {
    run++;
    for (var event : events) table.insert(new BareTable.Row(run, event));
  }
}
