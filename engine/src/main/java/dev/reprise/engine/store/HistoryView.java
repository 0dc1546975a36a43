package dev.reprise.engine.store;

import dev.reprise.HistoryEvent;
import dev.reprise.RunDescription;
import dev.reprise.engine.event.EventType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Shows rows of a store to people and tools. */
public final class HistoryView {
  private static final int PAGE = 1_000;

  private HistoryView() {}

  /** The whole history of a run. */
  public static List<HistoryEvent> of(Store store, long run) {
    return rows(store, run).stream().map(HistoryView::of).toList();
  }

  /** The whole history of a run, as it is stored. */
  public static List<EventRow> rows(Store store, long run) {
    var rows = new ArrayList<EventRow>();
    List<EventRow> page;
    do {
      page = store.history(run, rows.size() + 1, PAGE);
      rows.addAll(page);
    } while (page.size() == PAGE);
    return rows;
  }

  /** One recorded fact. */
  public static HistoryEvent of(EventRow row) {
    return new HistoryEvent(
        row.index(),
        row.at(),
        EventType.of(row.type()).label(),
        row.recorded().event().subject(),
        row.site(),
        new String(row.attributes(), StandardCharsets.UTF_8),
        row.value() == null ? null : new String(row.value(), StandardCharsets.UTF_8));
  }

  /** A run, without what only its memory knows. */
  public static RunDescription of(RunRow row, List<String> waitingFor) {
    return new RunDescription(
        row.workflowId(),
        row.runId(),
        row.workflow(),
        row.status(),
        row.startedAt(),
        row.closedAt(),
        row.blockedBy(),
        row.owner(),
        waitingFor);
  }
}
