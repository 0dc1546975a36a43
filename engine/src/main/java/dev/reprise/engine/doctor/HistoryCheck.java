package dev.reprise.engine.doctor;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ActivityCompleted;
import dev.reprise.engine.event.Event.ActivityFailed;
import dev.reprise.engine.event.Event.ActivityRetryScheduled;
import dev.reprise.engine.event.Event.TimerFired;
import dev.reprise.engine.event.Event.TimerScheduled;
import dev.reprise.engine.event.Event.WaitTimedOut;
import dev.reprise.engine.event.Event.WorkflowStarted;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.Origin;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Folds the history of a run, event by event, and checks each against those before it. */
final class HistoryCheck {
  private final RunRow row;
  private final List<Finding> findings = new ArrayList<>();
  private final Set<String> over = new HashSet<>(); // activities that have ended
  private RunState state = RunState.empty();
  private long events;
  private @Nullable Instant closedAt;
  private boolean broken; // from here on it adds up to nothing

  HistoryCheck(RunRow row) {
    this.row = row;
  }

  /** The next event. Of a damaged one, the rest is checked too: it may tell what was damaged. */
  void take(EventRow stored) {
    events++;
    if (stored.damaged()) {
      find(Check.CHECKSUMS, "event #%d is damaged: its checksum does not fit", stored.index());
    }
    if (broken) return;
    var event = stored.asIs();
    if (event.index() != state.size() + 1) {
      broken = true;
      find(Check.INDEXES, "event #%d follows #%d", event.index(), state.size());
      return;
    }
    var recorded = read(event);
    if (recorded == null) return;
    checkOrder(recorded);
    checkEvent(recorded);
    fold(recorded);
    if (recorded.event().isTerminal() && closedAt == null) closedAt = recorded.at();
  }

  private @Nullable Recorded read(EventRow event) {
    try {
      return event.recorded();
    } catch (RuntimeException unreadable) {
      broken = true;
      find(Check.READABLE, "event #%d cannot be read: %s", event.index(), unreadable.getMessage());
      return null;
    }
  }

  private void fold(Recorded recorded) {
    try {
      state = state.apply(recorded);
    } catch (RuntimeException senseless) {
      broken = true;
      find(Check.READABLE, "event #%d: %s", recorded.index(), senseless.getMessage());
    }
  }

  private void checkOrder(Recorded recorded) {
    boolean first = recorded.index() == 1;
    if (first != recorded.event() instanceof WorkflowStarted) {
      find(Check.ORDER, "event #%d is %s", recorded.index(), nameOf(recorded.event()));
    }
    if (closedAt != null) {
      find(
          Check.ORDER,
          "event #%d, %s, stands behind the end",
          recorded.index(),
          nameOf(recorded.event()));
    }
    if (!first && recorded.at().isBefore(state.now())) {
      find(
          Check.TIMES,
          "event #%d is of %s, the one before it of %s",
          recorded.index(),
          recorded.at(),
          state.now());
    }
  }

  /** Only these have something in the history that they must agree with. */
  private void checkEvent(Recorded recorded) {
    switch (recorded.event()) {
      case WorkflowStarted started -> checkStart(recorded, started);
      case ActivityCompleted(var call, var attempts, _) -> {
        checkAttempt(recorded, call.id(), attempts);
        checkOver(recorded, call.id());
        over.add(call.id());
      }
      case ActivityFailed(var call, _, _) -> {
        checkOver(recorded, call.id());
        over.add(call.id());
      }
      case ActivityRetryScheduled(var call, var attempt, _, _) -> {
        checkAttempt(recorded, call.id(), attempt);
        checkOver(recorded, call.id());
      }
      case TimerScheduled(var id, _) -> checkNewTimer(recorded, id);
      case TimerFired(var id) -> checkTimer(recorded, id);
      case WaitTimedOut(var id, var due) -> checkDue(recorded, id, due);
      default -> {}
    }
  }

  private void checkStart(Recorded recorded, WorkflowStarted started) {
    if (recorded.index() > 1) return; // said already
    if (!started.workflow().equals(row.workflow())) {
      find(
          Check.ROW,
          "its workflow is '%s', but it began as '%s'",
          row.workflow(),
          started.workflow());
    }
    if (!started.workflowId().equals(row.workflowId())) {
      find(Check.ROW, "it began with the workflow id '%s'", started.workflowId());
    }
    if (!started.runId().equals(row.runId())) {
      find(Check.ROW, "its id is %s, but it began as %s", row.runId(), started.runId());
    }
    if (!isStart(recorded.at(), started.origin().lineage())) {
      find(Check.ROW, "it started at %s, its first event is of %s", row.startedAt(), recorded.at());
    }
  }

  /** A fork starts later than the events that it begins with. */
  private boolean isStart(Instant first, Origin.@Nullable Lineage lineage) {
    return first.equals(row.startedAt()) || (lineage != null && first.isBefore(row.startedAt()));
  }

  /** One that is given up between two attempts ends without a further one, and may end early. */
  private void checkAttempt(Recorded recorded, String id, int attempt) {
    if (over.contains(id)) return; // said otherwise
    int expected = state.failedAttempts(id) + 1;
    if (attempt != expected && !isAskedAnew(id)) {
      find(
          Check.ACTIVITIES,
          "event #%d is attempt %d of '%s', not %d",
          recorded.index(),
          attempt,
          id,
          expected);
    }
    var retry = state.retries().get(id);
    if (retry != null && !isQueued(id)) checkDue(recorded, id, retry.due());
  }

  /**
   * A fork, also one that goes on with another run, asks anew for what its source has on a queue.
   */
  private boolean isAskedAnew(String activity) {
    var lineage = state.life().origin().lineage();
    return isQueued(activity) && lineage != null && lineage.copied() > 0;
  }

  /** Its attempts are made elsewhere, by a clock that may be a little ahead of the run's. */
  private boolean isQueued(String activity) {
    return state.life().tasks().contains(activity);
  }

  private void checkOver(Recorded recorded, String id) {
    if (!over.contains(id)) return;
    find(
        Check.ACTIVITIES,
        "event #%d is %s of '%s', which had ended before",
        recorded.index(),
        nameOf(recorded.event()),
        id);
  }

  private void checkNewTimer(Recorded recorded, String id) {
    if (!state.timers().contains(id)) return;
    find(Check.TIMES, "event #%d begins '%s' again", recorded.index(), id);
  }

  private void checkTimer(Recorded recorded, String id) {
    var due = state.timers().get(id);
    if (due == null) find(Check.TIMES, "event #%d fires '%s': no timer", recorded.index(), id);
    else checkDue(recorded, id, due);
  }

  private void checkDue(Recorded recorded, String id, Instant due) {
    if (!recorded.at().isBefore(due)) return;
    find(
        Check.TIMES,
        "event #%d, %s of '%s', is of %s: early, it was due at %s",
        recorded.index(),
        nameOf(recorded.event()),
        id,
        recorded.at(),
        due);
  }

  private static String nameOf(Event event) {
    return EventType.of(event).label();
  }

  private void find(Check check, String format, @Nullable Object... arguments) {
    findings.add(Finding.of(check, row, format, arguments));
  }

  // ---- what it adds up to -----------------------------------------------------------------------

  List<Finding> findings() {
    return findings;
  }

  /** Whether it could be folded to its end. */
  boolean isWhole() {
    return !broken;
  }

  long events() {
    return events;
  }

  RunState state() {
    return state;
  }

  /** When it was closed, or null. */
  @Nullable Instant closedAt() {
    return closedAt;
  }

  /** When the first sleep or next attempt is due that the history leaves open, or null. */
  @Nullable Instant earliestDue() {
    var dues = new ArrayList<Instant>();
    state.timers().forEach((_, due) -> dues.add(due));
    state
        .retries()
        .forEach(
            (id, retry) -> {
              if (!isQueued(id)) dues.add(retry.due());
            });
    return dues.stream().min(Instant::compareTo).orElse(null);
  }
}
