package dev.reprise.server;

import dev.reprise.FailureInfo;
import dev.reprise.HistoryEvent;
import dev.reprise.Waiting;
import dev.reprise.Waiting.Kind;
import dev.reprise.engine.store.RunRow;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What an open run waits for, as far as its history tells. For which signal or condition it waits,
 * or which activity runs for the first time, only its memory knows.
 */
final class RecordedWaits {
  private static final String UNRECORDED = "or an update, or a condition";
  private static final String WHICH = "which one, an engine with its code tells: handle.describe()";
  private static final String AT_WORK = "that runs inline, or its own code";

  private RecordedWaits() {}

  static List<Waiting> in(List<HistoryEvent> history) {
    var open = new LinkedHashMap<String, Waiting>();
    for (var event : history) {
      switch (event.type()) {
        case "TimerScheduled" -> open.put(event.subject(), waiting(Kind.TIMER, event));
        case "ActivityRetryScheduled" -> open.put(event.subject(), waiting(Kind.ACTIVITY, event));
        case "ChildStarted" -> open.put(event.subject(), waiting(Kind.CHILD, event));
        case "TimerFired",
            "TimerCancelled",
            "ActivityCompleted",
            "ActivityFailed",
            "ActivityCancelled",
            "ChildCompleted",
            "ChildFailed" ->
            open.remove(event.subject());
        default -> {}
      }
    }
    return List.copyOf(open.values());
  }

  /** Of an open run that waits for nothing that is recorded. */
  static List<Waiting> none(RunRow row, List<HistoryEvent> history, Instant now) {
    var due = row.wakeAt();
    if (due == null || due.isAfter(now)) {
      return List.of(new Waiting(Kind.SIGNAL, "", UNRECORDED, null, due, 0, null, WHICH));
    }
    if (row.owner() == null || history.isEmpty()) return List.of(); // for an engine
    var since = "since " + history.getLast().recordedAt();
    return List.of(new Waiting(Kind.ACTIVITY, "", AT_WORK, null, null, 0, null, since));
  }

  private static Waiting waiting(Kind kind, HistoryEvent event) {
    var attributes = Json.attributes(event);
    var due = attributes.has("due") ? Instant.parse(attributes.path("due").asString()) : null;
    int attempt = kind == Kind.ACTIVITY ? attributes.path("attempt").asInt(1) + 1 : 0;
    var failure = attributes.has("failure") ? failure(attributes.path("failure")) : null;
    return new Waiting(
        kind, event.subject(), event.subject(), event.callSite(), due, attempt, failure);
  }

  private static FailureInfo failure(JsonNode failure) {
    return new FailureInfo(
        failure.path("type").asString(), text(failure, "message"), null, null, null);
  }

  private static @Nullable String text(JsonNode node, String name) {
    return node.has(name) ? node.path(name).asString() : null;
  }
}
