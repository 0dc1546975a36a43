package dev.reprise.engine.replay;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.EventRow;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of a history that the code has not caught up with yet. What was read is forgotten. */
final class HistoryCursor {
  private final ArrayDeque<EventRow> rows;
  private @Nullable Recorded next;

  HistoryCursor(List<EventRow> rows) {
    this.rows = new ArrayDeque<>(rows);
  }

  boolean hasNext() {
    return next != null || !rows.isEmpty();
  }

  /** The next event, which stays next. */
  @Nullable Recorded peek() {
    if (next == null && !rows.isEmpty()) {
      next = read(rows.getFirst());
      rows.removeFirst();
    }
    return next;
  }

  private static Recorded read(EventRow row) {
    try {
      return row.recorded();
    } catch (RuntimeException e) {
      throw new RepriseException(
          ErrorCode.R108,
          "event #%d of the history cannot be read: %s".formatted(row.index(), e.getMessage()),
          e);
    }
  }

  Recorded take() {
    var taken = peek();
    if (taken == null) throw new IllegalStateException("the history is used up");
    next = null;
    return taken;
  }
}
