package dev.reprise.engine.archive;

import dev.reprise.HistoryEvent;
import dev.reprise.RunDescription;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A run and all that it recorded.
 *
 * @param run as its database had it, without what only that database knows
 * @param events from the first to the last
 */
public record History(RunRow run, List<EventRow> events) {
  private static final char UNKNOWN = '\uFFFD'; // stands for bytes that are no text

  public History {
    events = List.copyOf(events);
  }

  /** The latest run with that id. */
  public static Optional<History> of(Store store, String workflowId) {
    return store.find(workflowId).map(run -> new History(run, HistoryView.rows(store, run.key())));
  }

  /**
   * A run as a client shows it.
   *
   * @throws IllegalArgumentException if the codec wrote something else than text, which a client
   *     does not show byte by byte
   */
  public static History of(RunDescription run, List<HistoryEvent> events) {
    var row =
        new RunRow(
            0,
            run.runId(),
            run.workflowId(),
            run.workflow(),
            run.status(),
            null,
            null,
            run.startedAt(),
            run.closedAt(),
            run.blockedBy(),
            0);
    return new History(row, events.stream().map(History::row).toList());
  }

  private static EventRow row(HistoryEvent event) {
    var value = event.value();
    if (value != null && value.indexOf(UNKNOWN) >= 0) {
      throw new IllegalArgumentException(
          "the value of event #%d is not text: download this history with 'reprise history --json'"
              .formatted(event.index()));
    }
    return new EventRow(
        event.index(),
        event.recordedAt(),
        EventType.labelled(event.type()).orElseThrow().code(),
        event.callSite(),
        event.attributes().getBytes(StandardCharsets.UTF_8),
        value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }
}
