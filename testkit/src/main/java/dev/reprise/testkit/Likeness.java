package dev.reprise.testkit;

import dev.reprise.AttemptLost;
import dev.reprise.FailureInfo;
import dev.reprise.HistoryEvent;
import dev.reprise.RunDescription;
import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What of a run must be the same each time a test is run: its status, and of its events the types,
 * ids and values, each as a line.
 */
record Likeness(Status status, List<String> events) {

  Likeness {
    events = List.copyOf(events);
  }

  static Likeness of(RunDescription run, List<HistoryEvent> history) {
    var lines = new ArrayList<String>();
    int block = 0; // where the activities begin that ended one right after the other
    for (var fact : Fact.of(history)) {
      if (isLostAttempt(fact.event())) continue;
      lines.add(line(fact));
      if (isOfActivity(fact.event())) Collections.sort(lines.subList(block, lines.size()));
      else block = lines.size();
    }
    return new Likeness(run.status(), lines);
  }

  /** An attempt on a queue may die with the engine, or have reported in time: that is chance. */
  private static boolean isLostAttempt(Event event) {
    return event instanceof Event.ActivityRetryScheduled retry
        && retry.failure().type().equals(AttemptLost.class.getName());
  }

  private static boolean isOfActivity(Event event) {
    return event instanceof Event.ActivityCompleted
        || event instanceof Event.ActivityFailed
        || event instanceof Event.ActivityCancelled
        || event instanceof Event.ActivityRetryScheduled;
  }

  private static String line(Fact fact) {
    var event = fact.event();
    var detail =
        switch (event) {
          case Event.WorkflowStarted e -> e.input();
          case Event.ActivityCompleted e -> called(e.call()) + ": " + e.result();
          case Event.ActivityFailed e -> called(e.call()) + ": " + text(e.failure());
          case Event.ActivityRetryScheduled e ->
              "%s, attempt %d: %s".formatted(called(e.call()), e.attempt(), text(e.failure()));
          case Event.ActivityCancelled e -> called(e.call());
          case Event.CompensationRegistered e -> called(e.call());
          case Event.CompensationsStarted e -> e.status() + " " + e.reason();
          case Event.CompensationCompleted e -> called(e.call());
          case Event.CompensationFailed e -> called(e.call()) + ": " + text(e.failure());
          case Event.ChildFailed e -> e.status() + ": " + text(e.failure());
          case Event.WorkflowCancelRequested e -> e.reason();
          case Event.WorkflowFailed e -> text(e.failure());
          case Event.WorkflowCancelled e -> e.reason();
          case Event.WorkflowTimedOut e -> e.reason();
          case Event.WorkflowTerminated e -> e.reason();
          case Event.AttributeChanged e -> String.valueOf(e.value());
          case Event.UpdateFailed e -> text(e.failure());
          default -> event.payload() == null ? "" : event.payload();
        };
    return "%s %s %s".formatted(fact.shown().type(), event.subject(), detail).strip();
  }

  private static String called(Call call) {
    return call.digest().isEmpty() ? call.name() : call.name() + ", arguments " + call.digest();
  }

  private static String text(FailureInfo failure) {
    var cause = failure.cause();
    return cause == null ? failure.toString() : failure + ", caused by " + text(cause);
  }

  /** What is not the same in another one, for people. */
  Optional<String> differenceTo(Likeness other, boolean onlyOutcomes) {
    if (status != other.status) return difference("status", status, other.status);
    if (onlyOutcomes && !status.isClosed()) return Optional.empty();
    if (onlyOutcomes) return difference(events.getLast(), other.events.getLast());
    for (int i = 0; i < Math.max(events.size(), other.events.size()); i++) {
      var difference = difference(event(i), other.event(i));
      if (difference.isPresent()) return difference;
    }
    return Optional.empty();
  }

  private String event(int place) {
    return place < events.size() ? events.get(place) : "no more events";
  }

  private static Optional<String> difference(String without, String with) {
    return without.equals(with) ? Optional.empty() : difference("event", without, with);
  }

  private static Optional<String> difference(String what, Object without, Object with) {
    return Optional.of(
        "  %s without the crash: %s%n  %s with the crash:    %s"
            .formatted(what, without, what, with));
  }
}
