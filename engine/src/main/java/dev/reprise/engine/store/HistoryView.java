package dev.reprise.engine.store;

import dev.reprise.HistoryEvent;
import dev.reprise.RunDescription;
import dev.reprise.RunPage;
import dev.reprise.Waiting;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.KeptArguments;
import dev.reprise.engine.filter.RunCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shows rows of a store to people and tools. */
public final class HistoryView {
  private static final int PAGE = 1_000;

  private HistoryView() {}

  /** The whole history of a run. */
  public static List<HistoryEvent> of(Store store, long run) {
    return of(rows(store, run));
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

  /** A whole history. */
  public static List<HistoryEvent> of(List<EventRow> history) {
    var updates = new HashMap<String, String>(); // by message: their answers have only that
    var events = new ArrayList<HistoryEvent>();
    for (var row : history) {
      var event = row.recorded().event();
      if (event instanceof Event.UpdateReceived received) {
        updates.putIfAbsent(received.message(), received.update());
      }
      events.add(shown(row, subject(event, updates)));
    }
    return List.copyOf(events);
  }

  private static HistoryEvent shown(EventRow row, String subject) {
    return new HistoryEvent(
        row.index(),
        row.at(),
        EventType.of(row.type()).label(),
        subject,
        row.site(),
        new String(row.attributes(), StandardCharsets.UTF_8),
        row.value() == null ? null : new String(row.value(), StandardCharsets.UTF_8),
        arguments(row.recorded().event()));
  }

  /** An answer to an update is about that update. */
  private static String subject(Event event, Map<String, String> updates) {
    if (event instanceof Event.UpdateCompleted(var message, _, var update)) {
      return update != null ? update : updates.getOrDefault(message, message);
    }
    if (event instanceof Event.UpdateFailed(var message, _, var update)) {
      return update != null ? update : updates.getOrDefault(message, message);
    }
    return event.subject();
  }

  private static List<String> arguments(Event event) {
    var arguments =
        switch (event) {
          case Event.ActivityScheduled e -> KeptArguments.unpacked(e.arguments(), e.lengths());
          case Event.CompensationRegistered e -> KeptArguments.unpacked(e.arguments(), e.lengths());
          default -> event.call() == null ? null : event.call().arguments();
        };
    return arguments == null ? List.of() : arguments.texts();
  }

  /** A page of at most so many runs; if there are more of them, with the way to the next page. */
  public static RunPage page(List<RunRow> rows, int limit) {
    var shown = rows.subList(0, Math.min(limit, rows.size()));
    var next = rows.size() > limit ? RunCursor.after(shown.getLast().key()) : null;
    return new RunPage(shown.stream().map(row -> of(row, List.of())).toList(), next);
  }

  /** A run, without what only its memory knows. */
  public static RunDescription of(RunRow row, List<Waiting> waitingFor) {
    return new RunDescription(
        row.workflowId(),
        row.runId(),
        row.workflow(),
        row.status(),
        row.startedAt(),
        row.closedAt(),
        row.blockedBy(),
        row.owner(),
        row.parent(),
        AttributesJson.read(row.attributes()),
        waitingFor);
  }
}
