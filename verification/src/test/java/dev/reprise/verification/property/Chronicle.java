package dev.reprise.verification.property;

import dev.reprise.Status;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** All runs that a store has, the first first. */
record Chronicle(List<Recording> runs) {
  private static final int MAX_RUNS = 10_000;

  static Chronicle of(Store store) {
    var runs = new ArrayList<Recording>();
    store.list(Filter.ALL, Long.MAX_VALUE, MAX_RUNS).stream()
        .sorted(Comparator.comparing(RunRow::workflowId).thenComparing(RunRow::key))
        .forEach(row -> runs.add(Recording.of(store, row)));
    return new Chronicle(runs);
  }

  /** The first run of the program itself. */
  Recording root() {
    return runs.stream()
        .filter(run -> run.row().workflowId().equals(Life.WORKFLOW_ID))
        .findFirst()
        .orElseThrow();
  }

  Map<UUID, Integer> sizes() {
    var sizes = new TreeMap<UUID, Integer>();
    for (var run : runs) sizes.put(run.row().runId(), run.size());
    return sizes;
  }

  int events() {
    return runs.stream().mapToInt(Recording::size).sum();
  }

  /** All histories as text, to compare and to show. */
  List<String> lines() {
    var lines = new ArrayList<String>();
    for (var run : runs) {
      var row = run.row();
      var attributes = row.attributes() == null ? "{}" : row.attributes();
      lines.add(row.workflowId() + " " + row.runId() + " " + row.status() + " " + attributes);
      lines.addAll(run.lines());
    }
    return lines;
  }

  boolean hasBlocked() {
    return runs.stream().anyMatch(run -> run.row().status() == Status.BLOCKED);
  }
}
