package dev.reprise.verification.simulation;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.TaskRef;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An activity on a queue as it must be, by all that was stored so far. */
final class WatchedTask {
  /** Where it is. */
  enum State {
    WAITS,
    LEASED,
    EXTERNAL,
    ENDED
  }

  final TaskRef ref;
  final NewTask task;
  final String activityId;
  State state = State.WAITS;
  int attempt;
  Instant visibleAt;
  boolean cancelled;
  byte @Nullable [] heartbeat;
  final Set<Integer> failedAttempts = new HashSet<>(); // and another one was to follow
  @Nullable UUID hand;
  @Nullable Event end;
  Instant changedAt; // by the database's clock
  private Instant leaseUntil = Instant.MAX;
  private Instant deadline = Instant.MAX;

  WatchedTask(TaskRef ref, NewTask task, String activityId, Instant now) {
    this.ref = ref;
    this.task = task;
    this.activityId = activityId;
    this.visibleAt = task.visibleAt();
    this.changedAt = now;
  }

  void lease(UUID by, Instant takenAt) {
    state = State.LEASED;
    attempt++;
    hand = by;
    leaseUntil = takenAt.plus(task.lease());
    var limit = task.attemptLimit();
    deadline = limit == null ? Instant.MAX : takenAt.plus(limit);
  }

  void beat(Instant beatenAt) {
    leaseUntil = beatenAt.plus(task.lease());
  }

  void change(Report.Change change) {
    switch (change) {
      case Report.Change.Finish _ -> state = State.ENDED;
      case Report.Change.Again(var at) -> {
        failedAttempts.add(attempt);
        again(at);
      }
      case Report.Change.GiveBack(var at) -> {
        attempt--;
        again(at);
      }
      case Report.Change.LeaveOpen _ -> state = State.EXTERNAL;
    }
  }

  private void again(Instant at) {
    state = State.WAITS;
    visibleAt = at;
    hand = null;
  }

  /** Whether somebody who has no hold of it may decide what becomes of it. */
  boolean isDue(Instant now) {
    if (isOver(task.until(), now)) return true;
    return switch (state) {
      case WAITS -> cancelled || (attempt == 0 && isOver(task.waitUntil(), now));
      case LEASED -> isOver(leaseUntil, now) || isOver(deadline, now);
      case EXTERNAL -> cancelled || isOver(deadline, now);
      case ENDED -> false;
    };
  }

  /** Whether that was the last time; null from who does not know the hand. */
  boolean isHandedOut(int asAttempt, @Nullable UUID by) {
    return attempt == asAttempt && (by == null || by.equals(hand));
  }

  boolean isHeld() {
    return state == State.LEASED || state == State.EXTERNAL;
  }

  private static boolean isOver(@Nullable Instant limit, Instant now) {
    return limit != null && !limit.isAfter(now);
  }

  @Override
  public String toString() {
    return "activity %s (%s, attempt %d, %s)".formatted(activityId, ref, attempt, state);
  }
}
