package dev.reprise;

import java.util.UUID;

/**
 * What an activity can know about itself while it runs: {@code ActivityContext.current()}. May be
 * used by any thread that works for the attempt.
 */
public interface ActivityContext {

  /** The context of the activity that runs on this thread. */
  ScopedValue<ActivityContext> CURRENT = ScopedValue.newInstance();

  /**
   * The context of the activity that runs on this thread.
   *
   * @throws RepriseException {@code R111} outside of an activity
   */
  static ActivityContext current() {
    if (!CURRENT.isBound()) {
      throw new RepriseException(
          ErrorCode.R111, "ActivityContext.current() was called outside of an activity");
    }
    return CURRENT.get();
  }

  /** The workflow that asked for it. */
  String workflowId();

  /** The run of that workflow. */
  UUID runId();

  /** Its id in the history, such as {@code Payments.charge:1}. */
  String activityId();

  /** Which attempt this is, from 1. */
  int attempt();

  /**
   * The same for all attempts of this activity and different for all others: what a service takes
   * that does a request once only.
   */
  default String idempotencyKey() {
    return runId() + "/" + activityId();
  }

  /**
   * Whether nobody wants the result any more, since the workflow or the branch that asked was
   * cancelled. The activity may end early, with any result or exception, or go on.
   */
  boolean cancelled();

  /**
   * Calls back once when nobody wants the result any more, at once if that is so already: for an
   * activity that waits for something that can be closed. The call comes from a thread of the
   * engine and must not block.
   */
  void onCancel(Runnable action);
}
