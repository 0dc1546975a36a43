package dev.reprise.engine.replay;

import dev.reprise.RetryPolicy;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.machine.Machine;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What all runs of an engine share.
 *
 * @param values how values become bytes
 * @param activities objects that proxies call
 * @param retry for activities that say nothing else
 * @param machine where its threads come from
 * @param interceptor what stands around activities, or null
 * @param loopLimit how many events a loop may record before it goes on with a new run
 * @param activityTimeout the limit of attempts of which nothing else says one, or null for none
 */
public record RunSettings(
    Values values,
    ActivityRegistry activities,
    RetryPolicy retry,
    Machine machine,
    @Nullable ActivityInterceptor interceptor,
    int loopLimit,
    @Nullable Duration activityTimeout) {
  private static final int LOOP_LIMIT = 1_000; // replayed in some milliseconds

  /** On this machine, and nothing stands around activities. */
  public RunSettings(Values values, ActivityRegistry activities, RetryPolicy retry) {
    this(values, activities, retry, Machine.REAL, null);
  }

  public RunSettings(
      Values values,
      ActivityRegistry activities,
      RetryPolicy retry,
      Machine machine,
      @Nullable ActivityInterceptor interceptor) {
    this(values, activities, retry, machine, interceptor, LOOP_LIMIT);
  }

  /** Attempts of which nothing says otherwise have no limit. */
  public RunSettings(
      Values values,
      ActivityRegistry activities,
      RetryPolicy retry,
      Machine machine,
      @Nullable ActivityInterceptor interceptor,
      int loopLimit) {
    this(values, activities, retry, machine, interceptor, loopLimit, null);
  }
}
