package dev.reprise.testkit;

import dev.reprise.FailureInfo;
import dev.reprise.HistoryEvent;
import dev.reprise.RunDescription;
import dev.reprise.Texts;
import dev.reprise.engine.event.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A history for people: one line an event, with the time since the run began. */
final class HistoryTable {
  private static final int WIDEST = 70; // of a value; the rest is cut off
  private static final List<String> HEADINGS =
      List.of("#", "AFTER", "EVENT", "SUBJECT", "SOURCE", "VALUE");

  private final RunDescription run;
  private final List<List<String>> rows = new ArrayList<>();

  private HistoryTable(RunDescription run, List<HistoryEvent> events) {
    this.run = run;
    rows.add(HEADINGS);
    for (var event : events) rows.add(row(event));
  }

  static String of(RunDescription run, List<HistoryEvent> events) {
    return new HistoryTable(run, events).text();
  }

  private List<String> row(HistoryEvent event) {
    var site = event.callSite();
    return List.of(
        String.valueOf(event.index()),
        since(event.recordedAt()),
        event.type(),
        event.subject(),
        site == null ? "" : site,
        cut(value(event)));
  }

  private String since(Instant instant) {
    return Elapsed.text(Duration.between(run.startedAt(), instant));
  }

  /** The recorded value, or else what the event says beside it. */
  private String value(HistoryEvent event) {
    if (event.value() != null) return event.value();
    return switch (Fact.of(event).event()) {
      case Event.ActivityFailed e -> text(e.failure());
      case Event.ActivityRetryScheduled e -> text(e.failure()) + ", again after " + since(e.due());
      case Event.TimerScheduled e -> "until " + since(e.due());
      case Event.WorkflowFailed e -> text(e.failure());
      case Event.WorkflowCancelRequested e -> e.reason();
      case Event.WorkflowCancelled e -> e.reason();
      default -> "";
    };
  }

  private static String text(FailureInfo failure) {
    var name = failure.type().substring(failure.type().lastIndexOf('.') + 1);
    return failure.message() == null ? name : name + ": " + failure.message();
  }

  private static String cut(String value) {
    var line = value.replaceAll("\\s+", " ");
    return line.length() <= WIDEST ? line : line.substring(0, WIDEST - 3) + "...";
  }

  private String text() {
    var text = new StringBuilder();
    text.append(
        "%s, %s: %s".formatted(run.workflowId(), Texts.withArticle(run.workflow()), run.status()));
    text.append(", started ").append(run.startedAt()).append('\n');
    for (var row : rows) text.append("  ").append(line(row)).append('\n');
    for (var wait : run.waitingFor()) text.append("  waits for ").append(wait).append('\n');
    if (run.blockedBy() != null) text.append("  blocked: ").append(run.blockedBy()).append('\n');
    return text.toString();
  }

  private String line(List<String> row) {
    var line = new StringBuilder();
    for (int column = 0; column < row.size(); column++) {
      var cell = row.get(column);
      line.append(cell).repeat(' ', width(column) - cell.length()).append("  ");
    }
    return line.toString().stripTrailing();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
