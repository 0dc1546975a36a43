package dev.reprise;

import org.jspecify.annotations.Nullable;

/**
 * Branches that begin and end together: {@link Context#scope} returns when all of them have ended,
 * so none outlives it.
 */
public interface Scope {

  /** Starts a branch. */
  <T extends @Nullable Object> Promise<T> fork(Context.Branch<? extends T> branch);

  /**
   * Waits until all branches have ended.
   *
   * @throws RuntimeException with {@link JoinPolicy#FAIL_FAST}, what the first to fail failed with
   */
  void join();

  /**
   * Gives up all branches, and what is left of the scope's body: their waiting calls end, their
   * later ones are refused with {@link BranchCancelled}.
   */
  void cancel();
}
