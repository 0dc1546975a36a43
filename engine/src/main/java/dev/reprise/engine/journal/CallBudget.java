package dev.reprise.engine.journal;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what callers have asked for and the database has not answered yet. While the database is
 * away that only grows, also when the callers have long been told that there is no answer: beyond
 * the budget a call is refused before it enters, and may be made again later.
 *
 * <p>Only calls from outside count. What runs write themselves is bounded by the number of active
 * runs, and is never refused.
 */
public final class CallBudget {
  /** What a call takes beside its value: rows, a ticket, and a run that is about to begin. */
  static final int OVERHEAD = 2_048;

  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  /**
   * @param limit in bytes
   */
  public CallBudget(long limit) {
    this.limit = limit;
  }

  /**
   * Takes what a call with a value of that size needs, and returns how much that is.
   *
   * @throws RepriseException {@code R142} if that is more than is left, unless nothing else waits
   */
  public int take(int bytes) {
    int cost = Math.min(bytes, Integer.MAX_VALUE - OVERHEAD) + OVERHEAD;
    long before = taken.getAndAdd(cost);
    if (before == 0 || before + cost <= limit) return cost;
    taken.addAndGet(-cost);
    throw new RepriseException(
        ErrorCode.R142,
        "calls with %d bytes wait for the database already, the limit is %d. The call was not"
                .formatted(before, limit)
            + " accepted and has no effect: make it again in a while");
  }

  /** Gives back what was taken. */
  public void giveBack(int cost) {
    taken.addAndGet(-cost);
  }

  /** Gives back what was taken when that is answered, however long it takes. */
  public <T> CompletableFuture<T> until(CompletableFuture<T> answer, int cost) {
    return answer.whenComplete((_, _) -> giveBack(cost));
  }

  /** Whether the next call of some size would be refused. */
  boolean isUsedUp() {
    long now = taken.get();
    return now > 0 && now + OVERHEAD > limit;
  }
}
