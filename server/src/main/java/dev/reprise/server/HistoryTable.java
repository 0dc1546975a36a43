package dev.reprise.server;

import dev.reprise.HistoryEvent;
import dev.reprise.RunDescription;
import dev.reprise.Texts;
import dev.reprise.engine.event.EventType;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** A history for people: one line an event. */
final class HistoryTable {
  private static final Set<String> ASKED =
      Set.of(EventType.ACTIVITY_SCHEDULED.label(), EventType.COMPENSATION_REGISTERED.label());

  private final RunDescription run;
  private final List<HistoryEvent> events;
  private final ZoneId zone;
  private final Moments moments;

  HistoryTable(RunDescription run, List<HistoryEvent> events, ZoneId zone) {
    this.run = run;
    this.events = List.copyOf(events);
    this.zone = zone;
    this.moments =
        Moments.between(events.getFirst().recordedAt(), events.getLast().recordedAt(), zone);
  }

  void print(PrintWriter out) {
    out.println(Table.printable(heading(run, zone)));
    out.println();
    printEvents(out);
    var blockedBy = run.blockedBy();
    if (blockedBy != null) out.printf("%nBlocked: %s%n", Table.printableLines(blockedBy));
  }

  /** Without anything around them. */
  void printEvents(PrintWriter out) {
    printEvents(out, Screen.width());
  }

  /** Values are cut off where the screen ends, but never why something failed. */
  void printEvents(PrintWriter out, int width) {
    var table = new Table(width, "#", "TIME", "EVENT", "SUBJECT", "SOURCE", "VALUE");
    for (var event : events) {
      var cells = cells(event);
      if (Json.attributes(event).has("failure")) table.addWhole(cells);
      else table.add(cells);
    }
    table.print(out);
  }

  private String[] cells(HistoryEvent event) {
    var site = event.callSite();
    return new String[] {
      String.valueOf(event.index()),
      moments.text(event.recordedAt()),
      event.type(),
      event.subject(),
      site == null ? "" : site,
      value(event)
    };
  }

  /** What it is, how it is, and since when. */
  static String heading(RunDescription run, ZoneId zone) {
    var closed = run.closedAt();
    return "%s, %s: %s, started %s%s"
        .formatted(
            run.workflowId(),
            Texts.withArticle(run.workflow()),
            run.status(),
            Moments.full(run.startedAt(), zone),
            closed == null
                ? ""
                : ", took " + Moments.text(Duration.between(run.startedAt(), closed)));
  }

  /** The recorded value, or else what the event says beside it; and what it was called with. */
  private String value(HistoryEvent event) {
    if (event.arguments().isEmpty()) return result(event);
    var arguments = "(" + String.join(", ", event.arguments()) + ")";
    boolean isAsked = ASKED.contains(event.type()); // then the arguments are its value
    return isAsked ? arguments : result(event) + " <- " + arguments;
  }

  private String result(HistoryEvent event) {
    if (event.value() != null) return event.value();
    var attributes = Json.attributes(event);
    var due = attributes.has("due") ? "due " + due(attributes) : "";
    if (!attributes.has("failure")) return due;
    var failure = failure(attributes.path("failure"));
    return due.isEmpty() ? failure : failure + ", next attempt " + due;
  }

  private String due(JsonNode attributes) {
    var due = Instant.parse(attributes.path("due").asString());
    return Moments.between(events.getFirst().recordedAt(), due, zone).text(due);
  }

  private static String failure(JsonNode failure) {
    var type = failure.path("type").asString();
    var name = type.substring(type.lastIndexOf('.') + 1);
    return failure.has("message") ? name + ": " + failure.path("message").asString() : name;
  }
}
