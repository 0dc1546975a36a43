package dev.reprise;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What happens after a failed attempt of an activity.
 *
 * <p>The delay before attempt {@code n+1} is {@code initial × factor^(n-1)}, at most {@code cap};
 * jitter then moves it by up to that share in either direction. Retrying ends when the attempts are
 * used up, when the next attempt would begin later than {@code maxDuration} after the activity was
 * asked for, or at once for a {@link TerminalFailure} and for non-retryable types.
 *
 * <p>Durations longer than {@link Durations#MAX} count as that.
 *
 * @param initial delay after the first failure
 * @param factor growth of the delay, at least 1 and finite
 * @param cap longest delay
 * @param maxAttempts number of attempts, the first included; 0 for no limit
 * @param jitter share of the delay that is random, from 0 to 1
 * @param maxDuration longest time from the first attempt to the begin of the last, or null
 * @param nonRetryable names of exception classes after which nothing is tried again, subclasses
 *     included
 */
public record RetryPolicy(
    Duration initial,
    double factor,
    Duration cap,
    int maxAttempts,
    double jitter,
    @Nullable Duration maxDuration,
    Set<String> nonRetryable) {

  private static final RetryPolicy DEFAULTS =
      new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofSeconds(60), 5, 0, null, Set.of());

  public RetryPolicy {
    nonRetryable = Set.copyOf(nonRetryable);
    initial = Durations.notNegative(initial, "initial delay");
    cap = Durations.notNegative(cap, "longest delay");
    if (maxDuration != null) maxDuration = Durations.bounded(maxDuration);
    if (!(factor >= 1 && Double.isFinite(factor))) {
      throw new IllegalArgumentException("factor must be at least 1 and finite");
    }
    if (!(jitter >= 0 && jitter <= 1)) throw new IllegalArgumentException("jitter is not in 0..1");
    if (maxAttempts < 0) throw new IllegalArgumentException("attempts are negative");
  }

  /** 1 s, then twice as long each time, at most 60 s; 5 attempts. */
  public static RetryPolicy defaults() {
    return DEFAULTS;
  }

  /** One attempt only. */
  public static RetryPolicy none() {
    return DEFAULTS.attempts(1);
  }

  /** The same delay each time. */
  public static RetryPolicy fixed(Duration delay, int attempts) {
    return new RetryPolicy(delay, 1, delay, attempts, 0, null, Set.of());
  }

  /** Twice the delay each time, at most {@code cap}. */
  public static RetryPolicy exponential(Duration initial, Duration cap, int attempts) {
    return new RetryPolicy(initial, 2, cap, attempts, 0, null, Set.of());
  }

  /** This policy with another number of attempts; 0 for no limit. */
  public RetryPolicy attempts(int attempts) {
    return new RetryPolicy(initial, factor, cap, attempts, jitter, maxDuration, nonRetryable);
  }

  /** This policy with delays that vary by that share. */
  public RetryPolicy jitter(double share) {
    return new RetryPolicy(initial, factor, cap, maxAttempts, share, maxDuration, nonRetryable);
  }

  /** This policy with a limit on the time from the first attempt to the begin of the last. */
  public RetryPolicy maxDuration(Duration limit) {
    return new RetryPolicy(initial, factor, cap, maxAttempts, jitter, limit, nonRetryable);
  }

  /** This policy giving up at once on these exceptions and their subclasses. */
  @SafeVarargs
  public final RetryPolicy notOn(Class<? extends Throwable>... types) {
    var names = new HashSet<>(nonRetryable);
    for (var type : types) names.add(type.getName());
    return new RetryPolicy(initial, factor, cap, maxAttempts, jitter, maxDuration, names);
  }

  /**
   * The delay after that many failed attempts, or empty if no attempt is left.
   *
   * @param failed how many attempts have failed, at least 1
   * @param luck a random number from 0 to 1, for the jitter
   */
  public Optional<Duration> delayAfter(int failed, double luck) {
    if (maxAttempts > 0 && failed >= maxAttempts) return Optional.empty();
    double capped = Math.min(seconds(initial) * Math.pow(factor, failed - 1.0), seconds(cap));
    double varied = capped * (1 + jitter * (2 * luck - 1));
    return Optional.of(Duration.ofNanos(Math.round(varied * 1e9)));
  }

  /** Of any duration: the nanoseconds of a long one do not fit in a long. */
  private static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / 1e9;
  }
}
