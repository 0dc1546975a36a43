package dev.reprise.engine.replay;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Recorded;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Activities and workflows that had other names when they were recorded ({@code @Was}): the code
 * sees them under the names of today, and what is recorded about a call keeps the name and the id
 * that the call has in the history. So a history reads the same with renames and without. Belongs
 * to whoever holds the baton.
 */
final class Renames {
  private Map<String, String> today = Map.of();
  private Map<String, Call> before = Map.of(); // calls of the history, by their ids of today

  /** The code calls something that had these names before. */
  void add(List<String> former, String now) {
    if (former.isEmpty()) return;
    if (today.isEmpty()) {
      today = new HashMap<>();
      before = new HashMap<>();
    }
    for (var name : former) today.put(name, now);
  }

  /** An event of the history under the names of today. */
  Recorded apply(Recorded recorded) {
    if (today.isEmpty()) return recorded;
    return with(recorded, apply(recorded.event()));
  }

  /** A report about a call, as the code knows the call. */
  Event apply(Event event) {
    return today.isEmpty() ? event : renamed(event, this::now, this::now);
  }

  /** An event of this life under the names that the call has in the history. */
  Recorded asRecorded(Recorded recorded) {
    if (before.isEmpty()) return recorded;
    return with(recorded, renamed(recorded.event(), this::asRecorded, this::idAsRecorded));
  }

  private static Recorded with(Recorded recorded, Event event) {
    return event.equals(recorded.event())
        ? recorded
        : new Recorded(recorded.index(), recorded.at(), recorded.site(), event);
  }

  /** Each event that has a call, or the id of one. */
  private static Event renamed(Event event, UnaryOperator<Call> call, UnaryOperator<String> id) {
    return switch (event) {
      case Event.ActivityCompleted e ->
          new Event.ActivityCompleted(call.apply(e.call()), e.attempts(), e.result());
      case Event.ActivityFailed e ->
          new Event.ActivityFailed(call.apply(e.call()), e.attempts(), e.failure());
      case Event.ActivityRetryScheduled e ->
          new Event.ActivityRetryScheduled(call.apply(e.call()), e.attempt(), e.failure(), e.due());
      case Event.ActivityCancelled e ->
          new Event.ActivityCancelled(call.apply(e.call()), e.attempts());
      case Event.ActivityScheduled e ->
          new Event.ActivityScheduled(
              call.apply(e.call()),
              e.queueing(),
              e.arguments(),
              e.lengths(),
              e.result(),
              e.secret());
      case Event.ActivityCancelRequested e -> new Event.ActivityCancelRequested(id.apply(e.id()));
      case Event.CompensationRegistered e ->
          new Event.CompensationRegistered(
              call.apply(e.call()), e.arguments(), e.lengths(), e.retry(), e.timeout());
      case Event.CompensationCompleted e ->
          new Event.CompensationCompleted(call.apply(e.call()), e.attempts());
      case Event.CompensationFailed e ->
          new Event.CompensationFailed(call.apply(e.call()), e.attempts(), e.failure());
      case Event.WorkflowStarted _,
          Event.TimerScheduled _,
          Event.TimerFired _,
          Event.TimerCancelled _,
          Event.SignalReceived _,
          Event.WorkflowCancelRequested _,
          Event.WaitTimedOut _,
          Event.PatchMarked _,
          Event.CompensationsStarted _,
          Event.ChildStarted _,
          Event.ChildCompleted _,
          Event.ChildFailed _,
          Event.MessageSent _,
          Event.UpdateReceived _,
          Event.UpdateCompleted _,
          Event.UpdateFailed _,
          Event.UpdateRefused _,
          Event.ValuePublished _,
          Event.AttributeChanged _,
          Event.LoopSnapshot _,
          Event.TimeLimitReached _,
          Event.WorkflowResumed _,
          Event.WorkflowTakenUp _,
          Event.WorkflowCompleted _,
          Event.WorkflowFailed _,
          Event.WorkflowCancelled _,
          Event.WorkflowTimedOut _,
          Event.WorkflowTerminated _,
          Event.WorkflowContinuedAsNew _ ->
          event;
    };
  }

  private Call now(Call call) {
    var name = today.get(call.name());
    if (name == null) return call;
    var renamed = new Call(now(call.id()), name, call.digest(), call.arguments());
    before.put(renamed.id(), call);
    return renamed;
  }

  /** An automatic id begins with the name. */
  private String now(String id) {
    int colon = id.lastIndexOf(':');
    if (colon < 0) return id;
    var name = id.substring(0, colon);
    var plain = name.startsWith(RunSteps.UNDO) ? name.substring(RunSteps.UNDO.length()) : name;
    var after = today.get(plain);
    if (after == null) return id;
    return (plain.equals(name) ? "" : RunSteps.UNDO) + after + id.substring(colon);
  }

  private Call asRecorded(Call call) {
    var known = before.get(call.id());
    return known == null ? call : new Call(known.id(), known.name(), call.digest());
  }

  private String idAsRecorded(String id) {
    var known = before.get(id);
    return known == null ? id : known.id();
  }
}
