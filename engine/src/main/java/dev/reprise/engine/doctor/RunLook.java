package dev.reprise.engine.doctor;

import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One look at a run: its row, its history, and the inputs that wait for it.
 *
 * @param events how many it has
 * @param inputs how many wait
 * @param findings what is wrong
 * @param overdueSince since when it could go on and nobody has it, or null
 */
record RunLook(long events, long inputs, List<Finding> findings, @Nullable Instant overdueSince) {
  private static final int PAGE = 200; // events with their values: some megabytes at worst

  /** Longer than any takeover needs. */
  static final Duration PATIENCE = Duration.ofMinutes(1);

  RunLook {
    findings = List.copyOf(findings);
  }

  /** Whether everything is as it should be. */
  boolean isFine() {
    return findings.isEmpty() && overdueSince == null;
  }

  /**
   * Looks at a run.
   *
   * @param hasLiveOwner whether its owner does its work
   */
  static RunLook at(Store store, RunRow row, boolean hasLiveOwner, Instant now) {
    var history = new HistoryCheck(row);
    read(store, row.key(), history);
    var findings = new ArrayList<>(history.findings());
    findings.addAll(RowCheck.of(row, history, now.plus(PATIENCE)));
    var inputs = store.inputs(row.key());
    for (var input : inputs) {
      if (!input.damaged()) continue;
      findings.add(
          Finding.of(
              Check.CHECKSUMS,
              row,
              "input %d, which waits, is damaged: its checksum does not fit",
              input.id()));
    }
    var waitsSince = inputs.stream().map(InputRow::acceptedAt).min(Instant::compareTo).orElse(null);
    if (row.status().isClosed() && waitsSince != null) {
      findings.add(
          Finding.of(Check.INPUTS, row, "it is closed, and %d inputs wait for it", inputs.size()));
    }
    var late = now.minus(PATIENCE);
    if (!row.status().isActive()) return look(history, inputs, findings, null);
    if (!hasLiveOwner) {
      return look(history, inputs, findings, before(late, earlier(row.wakeAt(), waitsSince)));
    }
    if (before(late, waitsSince) != null) {
      findings.add(
          Finding.of(
              Check.INPUTS,
              row,
              "it is in memory, and does not take in an input of %s",
              waitsSince));
    }
    return look(history, inputs, findings, null);
  }

  private static RunLook look(
      HistoryCheck history,
      List<InputRow> inputs,
      List<Finding> findings,
      @Nullable Instant overdueSince) {
    return new RunLook(history.events(), inputs.size(), findings, overdueSince);
  }

  private static void read(Store store, long run, HistoryCheck history) {
    int from = 1;
    List<EventRow> page;
    do {
      page = store.history(run, from, PAGE);
      page.forEach(history::take);
      if (!page.isEmpty()) from = page.getLast().index() + 1;
    } while (page.size() == PAGE);
  }

  private static @Nullable Instant before(Instant limit, @Nullable Instant time) {
    return time != null && time.isBefore(limit) ? time : null;
  }

  private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) return one == null ? other : one;
    return one.isBefore(other) ? one : other;
  }
}
