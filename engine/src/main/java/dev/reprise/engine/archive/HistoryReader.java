package dev.reprise.engine.archive;

import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.engine.event.Event.WorkflowStarted;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads the document of one history, and says where it is wrong. */
final class HistoryReader {
  private final JsonNode document;

  HistoryReader(String json) {
    this.document = parsed(json);
  }

  private static JsonNode parsed(String json) {
    try {
      return HistoryJson.MAPPER.readTree(json);
    } catch (JacksonException broken) {
      var at = broken.getLocation();
      throw new UnreadableHistory(
          at == null
              ? "somewhere"
              : "line %d, column %d".formatted(at.getLineNr(), at.getColumnNr()),
          "no JSON: " + broken.getOriginalMessage(),
          broken);
    }
  }

  History read() {
    checkFormat();
    var run = run();
    var events = events();
    checkEnds(run, events);
    return new History(run, events);
  }

  // ---- the document -----------------------------------------------------------------------------

  private void checkFormat() {
    if (!document.isObject() || !HistoryJson.FORMAT.equals(optional("format"))) {
      throw new UnreadableHistory(
          "format",
          "a history is a JSON object with the format '%s', as 'reprise history ID --json' writes it"
              .formatted(HistoryJson.FORMAT));
    }
    var version = document.path("formatVersion");
    if (!version.isInt() || version.intValue() != HistoryJson.VERSION) {
      throw new UnreadableHistory(
          "formatVersion",
          "%s is unknown; this release, %s, reads version %d. The file was written by %s"
              .formatted(
                  version.isMissingNode() ? "none" : version.toString(),
                  EngineVersion.number(),
                  HistoryJson.VERSION,
                  optional("exportedBy")));
    }
  }

  private RunRow run() {
    var closedAt = optional("closedAt");
    return new RunRow(
        0,
        runId(text(document, "", "runId")),
        text(document, "", "workflowId"),
        text(document, "", "workflow"),
        status(text(document, "", "status")),
        null,
        null,
        instant(text(document, "", "startedAt"), "startedAt"),
        closedAt == null ? null : instant(closedAt, "closedAt"),
        optional("blockedBy"),
        0);
  }

  private static UUID runId(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException wrong) {
      throw new UnreadableHistory("runId", "'%s' is no UUID".formatted(text), wrong);
    }
  }

  private static Status status(String text) {
    return Stream.of(Status.values())
        .filter(status -> status.name().equals(text))
        .findFirst()
        .orElseThrow(() -> new UnreadableHistory("status", "'%s' is unknown".formatted(text)));
  }

  private @Nullable String optional(String name) {
    var node = document.path(name);
    return node.isString() ? node.stringValue() : null;
  }

  // ---- events -----------------------------------------------------------------------------------

  private List<EventRow> events() {
    var array = document.path("events");
    if (array.isEmpty() && Status.QUEUED.name().equals(optional("status"))) {
      throw new UnreadableHistory("events", "there are none: the run had not begun");
    }
    if (!array.isArray() || array.isEmpty()) {
      throw new UnreadableHistory("events", "there must be an array of events, one at least");
    }
    var rows = new ArrayList<EventRow>(array.size());
    for (var event : array) {
      var where = "events[%d]".formatted(rows.size());
      rows.add(event(event, where, rows.isEmpty() ? null : rows.getLast()));
    }
    return rows;
  }

  private static EventRow event(JsonNode event, String where, @Nullable EventRow before) {
    int expected = before == null ? 1 : before.index() + 1;
    var index = event.path("index");
    if (!index.isInt() || index.intValue() != expected) {
      throw new UnreadableHistory(
          where + ".index",
          "%s, but %d comes here: events are missing or out of order"
              .formatted(index.isMissingNode() ? "none" : index.toString(), expected));
    }
    var at = instant(text(event, where, "recordedAt"), where + ".recordedAt");
    if (before != null && at.isBefore(before.at())) {
      throw new UnreadableHistory(where + ".recordedAt", "earlier than the event before it");
    }
    var attributes = event.path("attributes");
    if (!attributes.isObject()) {
      throw new UnreadableHistory(where + ".attributes", "an object should be here");
    }
    var row =
        new EventRow(
            expected,
            at,
            type(text(event, where, "type"), where).code(),
            event.path("callSite").isString() ? event.path("callSite").stringValue() : null,
            HistoryJson.MAPPER.writeValueAsBytes(attributes),
            ValueField.read(event, where));
    return readable(row, where);
  }

  private static EventType type(String label, String where) {
    return EventType.labelled(label)
        .orElseThrow(
            () ->
                new UnreadableHistory(
                    where + ".type",
                    "'%s' is unknown to this release, %s, which knows %s"
                        .formatted(
                            label,
                            EngineVersion.number(),
                            Stream.of(EventType.values())
                                .map(EventType::label)
                                .collect(Collectors.joining(", ")))));
  }

  private static EventRow readable(EventRow row, String where) {
    try {
      row.recorded();
      return row;
    } catch (RepriseException unreadable) {
      var cause = unreadable.getCause(); // says what is wrong; the event's place is known here
      var wrong = cause == null ? unreadable : cause;
      throw new UnreadableHistory(where + ".attributes", String.valueOf(wrong.getMessage()), wrong);
    }
  }

  // ---- whether it fits together -----------------------------------------------------------------

  private static void checkEnds(RunRow run, List<EventRow> events) {
    checkStart(run, events.getFirst());
    int last = events.size() - 1;
    for (int i = 0; i <= last; i++) {
      var event = events.get(i).recorded().event();
      if (i > 0 && event instanceof WorkflowStarted) {
        throw new UnreadableHistory("events[%d]".formatted(i), "the run starts a second time");
      }
      if (i < last && event.isTerminal()) {
        throw new UnreadableHistory("events[%d]".formatted(i), "there are events after the end");
      }
    }
    if (run.status().isClosed() != events.get(last).recorded().event().isTerminal()) {
      throw new UnreadableHistory(
          "status",
          "%s, but the last event is %s: events are missing"
              .formatted(run.status(), EventType.of(events.get(last).type()).label()));
    }
  }

  private static void checkStart(RunRow run, EventRow first) {
    if (!(first.recorded().event() instanceof WorkflowStarted started)) {
      throw new UnreadableHistory("events[0].type", "a history begins with WorkflowStarted");
    }
    check("workflow", run.workflow(), started.workflow());
    check("workflowId", run.workflowId(), started.workflowId());
    check("runId", run.runId(), started.runId());
  }

  private static void check(String name, Object here, Object started) {
    if (here.equals(started)) return;
    throw new UnreadableHistory(name, "'%s', but events[0] says '%s'".formatted(here, started));
  }

  // ---- fields -----------------------------------------------------------------------------------

  private static String text(JsonNode object, String where, String name) {
    var node = object.path(name);
    if (node.isString()) return node.stringValue();
    throw new UnreadableHistory(
        where.isEmpty() ? name : where + "." + name,
        node.isMissingNode() ? "it is missing" : "a string should be here, not " + node);
  }

  private static Instant instant(String text, String where) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException wrong) {
      throw new UnreadableHistory(where, "'%s' is no time".formatted(text), wrong);
    }
  }
}
