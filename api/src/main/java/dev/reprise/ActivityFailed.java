package dev.reprise;

import org.jspecify.annotations.Nullable;

/**
 * An activity failed for good. Rebuilt from the record when the code runs again, so it carries what
 * was recorded, not the original exception object.
 */
public final class ActivityFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String activity;
  private final String id;
  private final int attempts;
  private final FailureInfo failure;

  public ActivityFailed(String activity, String id, int attempts, FailureInfo failure) {
    super(
        "activity %s (%s) failed after %d attempt%s: %s"
            .formatted(activity, id, attempts, attempts == 1 ? "" : "s", failure),
        failure.toThrowable());
    this.activity = activity;
    this.id = id;
    this.attempts = attempts;
    this.failure = failure;
  }

  /** The name of the activity. */
  public String activity() {
    return activity;
  }

  /** Its id in the history. */
  public String id() {
    return id;
  }

  /** How many attempts were made. */
  public int attempts() {
    return attempts;
  }

  /** What the last attempt failed with. */
  public FailureInfo failure() {
    return failure;
  }

  /** Whether the last attempt failed with that exception or a subclass of it. */
  public boolean is(Class<? extends Throwable> type) {
    return failure.is(type);
  }

  /** The message of what the last attempt failed with. */
  public @Nullable String failureMessage() {
    return failure.message();
  }
}
