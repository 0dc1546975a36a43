package dev.reprise;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by an activity that knows when it is worth another attempt, for example because a service
 * said so. The attempt counts as failed; the retry policy decides whether there is another, and
 * this how long it waits.
 */
public final class RetryAfter extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Duration delay;

  public RetryAfter(Duration delay, String message) {
    this(delay, message, null);
  }

  public RetryAfter(Duration delay, @Nullable String message, @Nullable Throwable cause) {
    super(message, cause);
    this.delay = Durations.notNegative(delay, "the delay");
  }

  /** How long to wait. */
  public Duration delay() {
    return delay;
  }
}
