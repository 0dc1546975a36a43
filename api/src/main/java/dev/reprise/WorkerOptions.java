package dev.reprise;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a worker serves its queue. Immutable. */
public final class WorkerOptions {
  private final int concurrency;
  private final @Nullable RetryPolicy retry;

  private WorkerOptions(int concurrency, @Nullable RetryPolicy retry) {
    this.concurrency = concurrency;
    this.retry = retry;
  }

  /** So many attempts at once. */
  public static WorkerOptions concurrency(int concurrency) {
    if (concurrency < 1) {
      throw new RepriseException(
          ErrorCode.R135, "the concurrency of a worker must be at least 1: " + concurrency);
    }
    return new WorkerOptions(concurrency, null);
  }

  /** What happens after a failed attempt, unless the call or the activity says something else. */
  public WorkerOptions retry(RetryPolicy policy) {
    return new WorkerOptions(concurrency, Objects.requireNonNull(policy));
  }

  public int concurrency() {
    return concurrency;
  }

  /** The retry policy, if it is not the engine's. */
  public Optional<RetryPolicy> retry() {
    return Optional.ofNullable(retry);
  }
}
