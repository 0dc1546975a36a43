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
    var events = new ArrayList<HistoryEvent>();
    List<EventRow> page;
    do {
      page = store.history(run, events.size() + 1, PAGE);
      for (var row : page) events.add(view(row));
    } while (page.size() == PAGE);
    return events;
  }

  private static HistoryEvent view(EventRow row) {
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
