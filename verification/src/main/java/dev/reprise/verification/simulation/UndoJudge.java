package dev.reprise.verification.simulation;

import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.verification.simulation.Chain.Link;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a run was undone as it should: all of it, each part once, the last first, and only if it
 * did not succeed.
 */
final class UndoJudge {
  private final Link link;
  private final List<String> remembered = new ArrayList<>();
  private final Set<String> undone = new HashSet<>();
  private final Set<String> failed = new HashSet<>();
  private final Set<String> queued = new HashSet<>(); // what ends elsewhere, whenever it does
  private boolean begun;
  private @Nullable String problem;

  private UndoJudge(Link link) {
    this.link = link;
  }

  /**
   * What is wrong, or null.
   *
   * @param mayEndAtOnce whether somebody may have ended it before all was undone
   */
  static @Nullable String problem(Link link, boolean mayEndAtOnce) {
    var judge = new UndoJudge(link);
    link.events().forEach(judge::look);
    return judge.problem != null ? judge.problem : judge.atTheEnd(mayEndAtOnce);
  }

  private void look(Event event) {
    switch (event) {
      case Event.CompensationRegistered registered -> {
        remembered.add(registered.call().id());
        if (begun) found("remembers something while it is undone");
      }
      case Event.CompensationsStarted _ -> {
        if (begun) found("begins to be undone twice");
        begun = true;
      }
      case Event.CompensationCompleted(var call, _) -> {
        ended(call);
        if (!undone.add(call.id())) found("has undone %s twice".formatted(call.id()));
      }
      case Event.CompensationFailed(var call, _, _) -> {
        ended(call);
        failed.add(call.id());
      }
      case Event.SignalReceived _,
          Event.UpdateRefused _,
          Event.ChildCompleted _,
          Event.ChildFailed _,
          Event.ActivityRetryScheduled _,
          Event.WorkflowResumed _ -> {}
      case Event.ActivityScheduled activity -> {
        queued.add(activity.call().id());
        if (begun) found("asks for an activity while it is undone");
      }
      default -> {
        if (begun && !event.isTerminal() && !queued.contains(event.subject()))
          found("is undone, and then there is " + event);
      }
    }
  }

  private void ended(Event.Call call) {
    if (!begun) found("has undone %s while its code ran".formatted(call.id()));
    int place = remembered.indexOf(call.id());
    if (place < 0) found("has undone %s, which it never did".formatted(call.id()));
    for (var later : remembered.subList(place + 1, remembered.size())) {
      if (undone.contains(later) || failed.contains(later)) continue;
      found("has undone %s before %s".formatted(call.id(), later));
    }
  }

  private void found(String what) {
    if (problem == null) problem = what;
  }

  private @Nullable String atTheEnd(boolean mayEndAtOnce) {
    var status = link.row().status();
    boolean succeeded = status == Status.COMPLETED || status == Status.CONTINUED;
    if (succeeded && begun) return "was undone and is " + status;
    if (succeeded || !status.isClosed()) return null;
    if (status == Status.TERMINATED && (mayEndAtOnce || !begun)) return null;
    if (undone.containsAll(remembered)) return null;
    return "is %s; of %s only %s were undone".formatted(status, remembered, undone);
  }
}
