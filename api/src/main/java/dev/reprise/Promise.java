package dev.reprise;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a branch of a workflow, now or later. Belongs to one run, and may be used by its
 * workflow code only.
 */
public interface Promise<T extends @Nullable Object> {

  /**
   * Waits for the branch to end, and returns its result or throws what it failed with: unchecked
   * exceptions as they are, checked ones wrapped in {@link BranchFailed}.
   */
  T await();

  /** Whether the branch has ended. */
  boolean isDone();
}
