package dev.reprise.verification.bench;

import dev.reprise.engine.store.EventRow;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The yardstick of throughput: the rows of many workflows, inserted in batches, with nothing else
 * to do. The rows come in the order of W1: each run in flight adds one event to a batch, each is
 * somewhere else in its history, and where one ends the next begins.
 */
final class RawLimit {
  private final BareTable table;
  private final List<EventRow> history;
  private final int batch;
  private long batches;

  /**
   * @param history of one run; all are alike
   * @param batch how many rows are committed together
   */
  RawLimit(BareTable table, List<EventRow> history, int batch) {
    this.table = table;
    this.history = history;
    this.batch = batch;
  }

  /** Inserts for so long, and tells the rows a second. */
  double measure(Duration window) throws SQLException {
    long begin = System.nanoTime();
    long end = begin + window.toNanos();
    long rows = 0;
    while (System.nanoTime() < end || rows == 0) {
      table.insertAll(nextBatch());
      rows += batch;
    }
    return rows * 1e9 / (System.nanoTime() - begin);
  }

  private List<BareTable.Row> nextBatch() {
    var rows = new ArrayList<BareTable.Row>(batch);
    for (int slot = 0; slot < batch; slot++) {
      long progress = batches + slot % history.size();
      long run = progress / history.size() * batch + slot + 1;
      rows.add(new BareTable.Row(run, history.get((int) (progress % history.size()))));
    }
    batches++;
    return rows;
  }
}
