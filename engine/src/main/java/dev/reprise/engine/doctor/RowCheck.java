package dev.reprise.engine.doctor;

import dev.reprise.Status;
import dev.reprise.engine.store.RunRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares the row of a run with its history. */
final class RowCheck {
  private final RunRow row;
  private final HistoryCheck history;
  private final List<Finding> findings = new ArrayList<>();

  private RowCheck(RunRow row, HistoryCheck history) {
    this.row = row;
    this.history = history;
  }

  /**
   * @param soon what is due until then needs no waking any more
   */
  static List<Finding> of(RunRow row, HistoryCheck history, Instant soon) {
    var check = new RowCheck(row, history);
    check.shape();
    boolean waits = row.status() == Status.QUEUED; // its history begins when it does
    if (waits != (history.events() == 0)) {
      check.find(waits ? "it is QUEUED and has a history" : "it has no history");
    } else if (history.isWhole()) check.fold(soon);
    return check.findings;
  }

  /** What belongs to each status, whatever the history says. */
  private void shape() {
    if (row.status().isClosed() == (row.closedAt() == null)) {
      find("it is %s and was closed at %s", row.status(), row.closedAt());
    }
    if (row.status().isHeld() == (row.blockedBy() == null)) {
      find("it is %s, held by %s", row.status(), row.blockedBy());
    }
    if (row.status().isActive()) return;
    if (row.owner() != null) find("it is %s and has the owner %s", row.status(), row.owner());
    if (row.wakeAt() != null) find("it is %s and due at %s", row.status(), row.wakeAt());
  }

  private void fold(Instant soon) {
    var state = history.state();
    if (state.isClosed() ? row.status() != state.status() : row.status().isClosed()) {
      find("it is %s, its history ends as %s", row.status(), state.status());
    } else if (!Objects.equals(row.closedAt(), history.closedAt())) {
      find("it was closed at %s, its last event is of %s", row.closedAt(), history.closedAt());
    }
    if (row.status().isActive()) checkWake(history.earliestDue(), soon);
  }

  /** Nothing else would bring a run back for its sleep after its owner died. */
  private void checkWake(@Nullable Instant due, Instant soon) {
    if (due == null) return;
    var wakeAt = row.wakeAt();
    if (wakeAt != null && (!wakeAt.isAfter(due) || !wakeAt.isAfter(soon))) return;
    var when = wakeAt == null ? "never" : "at " + wakeAt;
    findings.add(
        Finding.of(Check.TIMES, row, "it goes on %s, its history has it due at %s", when, due));
  }

  private void find(String format, @Nullable Object... arguments) {
    findings.add(Finding.of(Check.ROW, row, format, arguments));
  }
}
