package dev.reprise.engine.replay;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventType;
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

  /** Whether nothing follows, or only what people want to know. */
  boolean isAtEnd() {
    int resumed = EventType.WORKFLOW_RESUMED.code();
    return (next == null || next.event() instanceof Event.WorkflowResumed)
        && rows.stream().allMatch(row -> row.type() == resumed);
  }

  /** The next event, which stays next. */
  @Nullable Recorded peek() {
    if (next == null && !rows.isEmpty()) {
      next = rows.getFirst().recorded();
      rows.removeFirst();
    }
    return next;
  }

  Recorded take() {
    var taken = peek();
    if (taken == null) throw new IllegalStateException("the history is used up");
    next = null;
    return taken;
  }
}
