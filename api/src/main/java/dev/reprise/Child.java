package dev.reprise;

import org.jspecify.annotations.Nullable;

/**
 * A child workflow, seen by the code of its parent. What the parent sends to it is recorded in the
 * parent's history and sent once, however often the code runs.
 *
 * @param <O> what it returns in the end
 */
public interface Child<O extends @Nullable Object> {

  /** Its workflow id: the same when the code runs again. */
  String workflowId();

  /**
   * Its outcome, now or later. {@link Promise#await()} throws {@link ChildFailed} if it did not
   * complete.
   */
  Promise<O> result();

  /** Sends it a signal. Nothing happens if it is closed. */
  <T extends @Nullable Object> void signal(Signal<T> signal, T value);

  /** Sends it a signal without a value. Nothing happens if it is closed. */
  default void signal(Signal<@Nullable Void> signal) {
    signal(signal, null);
  }

  /** Asks it to end. Nothing happens if it is closed. */
  void cancel(String reason);
}
