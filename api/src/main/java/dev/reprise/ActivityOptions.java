package dev.reprise;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How an activity is run. Immutable; made by changing the defaults: {@code
 * ActivityOptions.defaults().retry(RetryPolicy.none()).timeout(Duration.ofSeconds(5))}.
 */
public final class ActivityOptions {
  private static final ActivityOptions DEFAULTS = new ActivityOptions(null, null, null);

  private final @Nullable String id;
  private final @Nullable RetryPolicy retry;
  private final @Nullable Duration timeout;

  private ActivityOptions(
      @Nullable String id, @Nullable RetryPolicy retry, @Nullable Duration timeout) {
    this.id = id;
    this.retry = retry;
    this.timeout = timeout;
  }

  /** An id given by the engine, the engine's retry policy, no timeout. */
  public static ActivityOptions defaults() {
    return DEFAULTS;
  }

  /** The id in the history instead of {@code name:counter}; unique in the run. */
  public ActivityOptions id(String id) {
    if (id.isBlank()) throw new IllegalArgumentException("activity id is blank");
    return new ActivityOptions(id, retry, timeout);
  }

  /** What happens after a failed attempt. */
  public ActivityOptions retry(RetryPolicy retry) {
    return new ActivityOptions(id, Objects.requireNonNull(retry), timeout);
  }

  /**
   * How long one attempt may take. After that its thread is interrupted, the attempt counts as
   * failed, and whatever it still returns is ignored.
   */
  public ActivityOptions timeout(Duration timeout) {
    if (!timeout.isPositive()) throw new IllegalArgumentException("timeout must be positive");
    return new ActivityOptions(id, retry, timeout);
  }

  /** The explicit id, if one was given. */
  public Optional<String> id() {
    return Optional.ofNullable(id);
  }

  /** The retry policy, if it is not the engine's. */
  public Optional<RetryPolicy> retry() {
    return Optional.ofNullable(retry);
  }

  /** The limit of one attempt, if there is one. */
  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }
}
