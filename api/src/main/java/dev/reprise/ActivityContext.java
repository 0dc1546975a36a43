package dev.reprise;

import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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

  /**
   * Says that the attempt goes on, how far it has come, and asks whether the result is still
   * wanted. Of a queued activity it extends the lease, so that no other worker takes it over; call
   * it as often as is convenient, only what is needed goes to the database.
   *
   * @param details anything that the next attempt may want to go on from, as a value; or null
   * @return whether nobody wants the result any more, as {@link #cancelled()}
   * @throws RepriseException {@code R134} if the lease is over and the activity was handed out
   *     again: end now, nothing of this attempt counts any more
   */
  boolean heartbeat(@Nullable Object details);

  /** The same without details; those of the last heartbeat that had some stay. */
  default boolean heartbeat() {
    return heartbeat(null);
  }

  /** The details of the last heartbeat of an attempt before this one, if there were any. */
  <T> Optional<T> lastHeartbeat(Class<T> type);

  /**
   * Leaves the activity open when its method returns: somebody completes it from outside, with
   * {@link Client#complete(String, Object)} and this token. What the method returns is ignored.
   * Only for queued activities.
   *
   * @return the token, a text that may be sent anywhere
   */
  String completeLater();
}
