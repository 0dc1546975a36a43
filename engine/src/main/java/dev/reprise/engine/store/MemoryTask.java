package dev.reprise.engine.store;

import dev.reprise.engine.store.TaskView.State;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A task of a {@link MemoryStore}. Its fields belong to who holds the store's lock. */
final class MemoryTask {
  private static final Instant AT_ONCE = Instant.EPOCH; // before everything, and databases have it

  final TaskRef ref;
  NewTask what;
  State state;
  final Instant scheduledAt;
  Instant readyAt;
  @Nullable KeptEvent start; // of a run that has not begun
  int attempt;
  @Nullable UUID hand;
  @Nullable Instant leaseUntil;
  @Nullable Instant deadline;
  boolean cancelled;
  @Nullable String worker;
  @Nullable String retry;
  byte @Nullable [] heartbeat;
  @Nullable Instant heartbeatAt;

  MemoryTask(TaskRef ref, NewTask what, Instant now, @Nullable EventRow start) {
    this.ref = ref;
    this.what = what;
    this.state = what.visibleAt().isAfter(now) ? State.DELAYED : State.READY;
    this.scheduledAt = now;
    this.readyAt = what.visibleAt();
    this.start = start == null ? null : KeptEvent.of(KeptEvent.WITH_TASK, start);
  }

  TaskView view() {
    return new TaskView(
        ref,
        what,
        state,
        attempt,
        scheduledAt,
        leaseUntil,
        deadline,
        cancelled,
        worker,
        retry,
        heartbeat,
        heartbeatAt);
  }

  /** When somebody has to look at it; null if nobody has to. */
  @Nullable Instant due() {
    var ends =
        switch (state) {
          case DELAYED, READY -> cancelled ? AT_ONCE : attempt == 0 ? what.waitUntil() : null;
          case LEASED -> earlier(leaseUntil, deadline);
          case EXTERNAL -> cancelled ? AT_ONCE : deadline;
          case OPEN -> null;
        };
    return earlier(ends, state == State.OPEN ? null : what.until());
  }

  /** Whether that was the last time; null from who does not know the hand. */
  boolean isHandedOut(int asAttempt, @Nullable UUID by) {
    return attempt == asAttempt && (by == null || by.equals(hand));
  }

  void again(Instant visibleAt, Instant now) {
    what = what.visibleAt(visibleAt);
    state = visibleAt.isAfter(now) ? State.DELAYED : State.READY;
    readyAt = visibleAt;
    leaseUntil = null;
    deadline = null;
    hand = null;
  }

  /** The one that comes first; null if there is none. */
  static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) return one == null ? other : one;
    return one.isBefore(other) ? one : other;
  }
}
