package dev.reprise.engine.replay;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Recorded;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Activities and workflows that had other names when they were recorded ({@code @Was}): the code
 * sees them under the names of today. Belongs to whoever holds the baton.
 */
final class Renames {
  private Map<String, String> today = Map.of();

  /** The code calls something that had these names before. */
  void add(List<String> before, String now) {
    if (before.isEmpty()) return;
    if (today.isEmpty()) today = new HashMap<>();
    for (var name : before) today.put(name, now);
  }

  Recorded apply(Recorded recorded) {
    if (today.isEmpty()) return recorded;
    var event = renamed(recorded.event());
    return event.equals(recorded.event())
        ? recorded
        : new Recorded(recorded.index(), recorded.at(), recorded.site(), event);
  }

  private Event renamed(Event event) {
    return switch (event) {
      case Event.ActivityCompleted e when isOld(e.call()) ->
          new Event.ActivityCompleted(now(e.call()), e.attempts(), e.result());
      case Event.ActivityFailed e when isOld(e.call()) ->
          new Event.ActivityFailed(now(e.call()), e.attempts(), e.failure());
      case Event.ActivityRetryScheduled e when isOld(e.call()) ->
          new Event.ActivityRetryScheduled(now(e.call()), e.attempt(), e.failure(), e.due());
      case Event.ActivityCancelled e when isOld(e.call()) ->
          new Event.ActivityCancelled(now(e.call()), e.attempts());
      case Event.CompensationRegistered e when isOld(e.call()) ->
          new Event.CompensationRegistered(
              now(e.call()), e.arguments(), e.lengths(), e.retry(), e.timeout());
      default -> event;
    };
  }

  private boolean isOld(Call call) {
    return today.containsKey(call.name());
  }

  private Call now(Call call) {
    var name = today.getOrDefault(call.name(), call.name());
    return new Call(now(call.id()), name, call.digest(), call.arguments());
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
}
