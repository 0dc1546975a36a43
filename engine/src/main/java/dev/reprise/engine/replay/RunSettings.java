package dev.reprise.engine.replay;

import dev.reprise.RetryPolicy;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.machine.Machine;
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
 */
public record RunSettings(
    Values values,
    ActivityRegistry activities,
    RetryPolicy retry,
    Machine machine,
    @Nullable ActivityInterceptor interceptor,
    int loopLimit) {
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
}
