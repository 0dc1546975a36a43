package dev.reprise.jdbc;

import dev.reprise.engine.store.RunRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** New runs turned by a quarter: an array for each column. */
record RunArrays(List<RunRow> runs) {

  /**
   * Workflow ids, keys, ids, workflows, perhaps statuses, owners, wake times, start times, parents,
   * attributes.
   *
   * @param nodeKey the owner of those that have one
   */
  List<@Nullable Object> columns(int nodeKey, boolean withStatus) {
    var columns = new ArrayList<@Nullable Object>();
    columns.add(runs.stream().map(RunRow::workflowId).toArray(String[]::new));
    columns.add(runs.stream().mapToLong(RunRow::key).toArray());
    columns.add(runs.stream().map(run -> run.runId().toString()).toArray(String[]::new));
    columns.add(runs.stream().map(RunRow::workflow).toArray(String[]::new));
    if (withStatus) columns.add(runs.stream().map(r -> r.status().name()).toArray(String[]::new));
    columns.add(runs.stream().mapToInt(run -> run.owner() == null ? 0 : nodeKey).toArray());
    columns.add(wakeTimes());
    columns.add(runs.stream().mapToLong(run -> PostgresTimes.micros(run.startedAt())).toArray());
    columns.add(runs.stream().map(RunRow::parent).toArray(String[]::new));
    columns.add(runs.stream().map(RunRow::attributes).toArray(String[]::new));
    return columns;
  }

  @Nullable Long[] wakeTimes() {
    var times = new @Nullable Long[runs.size()];
    Arrays.setAll(times, i -> PostgresTimes.microsOrNull(runs.get(i).wakeAt()));
    return times;
  }
}
