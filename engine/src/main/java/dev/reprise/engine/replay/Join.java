package dev.reprise.engine.replay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A wait for some of several promises. Belongs to whoever holds the baton. */
final class Join {

  /** When it is over. */
  enum Until {
    /** All have succeeded, or one has failed. */
    ALL,
    /** One has succeeded, or all have failed. */
    ANY,
    /** One has ended. */
    FIRST,
    /** All have ended, each in its own way. */
    SETTLED
  }

  private final Until until;
  private final List<? extends BranchPromise<?>> promises;
  private int open;
  private @Nullable BranchPromise<?> decisive; // the one whose outcome counts
  private @Nullable Runnable over;

  Join(Until until, List<? extends BranchPromise<?>> promises) {
    this.until = until;
    this.promises = promises;
    this.open = promises.size();
    for (var promise : promises) if (promise.hasEnded()) count(promise);
  }

  boolean isOver() {
    return decisive != null || open == 0;
  }

  /** The promise whose outcome counts: the failure of ALL, the winner of the others. */
  @Nullable BranchPromise<?> decisive() {
    return decisive;
  }

  void whenOver(Runnable action) {
    over = action;
    for (var promise : promises) if (!promise.hasEnded()) promise.tell(this);
  }

  /** Nobody waits any more. */
  void giveUp() {
    for (var promise : promises) promise.forget(this);
  }

  void ended(BranchPromise<?> promise) {
    if (isOver()) return;
    count(promise);
    if (isOver() && over != null) over.run();
  }

  private void count(BranchPromise<?> promise) {
    if (decisive != null) return;
    open--;
    boolean decides =
        switch (until) {
          case ALL -> promise.hasFailed();
          case ANY -> !promise.hasFailed() || open == 0;
          case FIRST -> true;
          case SETTLED -> false;
        };
    if (decides) decisive = promise;
  }
}
