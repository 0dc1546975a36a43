package dev.reprise.engine.replay;

import org.jspecify.annotations.Nullable;

/**
 * Stands around the activities of an engine: it sees each attempt, on the thread that makes it, and
 * may answer in place of the activity. For test kits and tracing. Safe for use by many threads.
 */
@FunctionalInterface
public interface ActivityInterceptor {

  /**
   * Makes the attempt, usually by {@link ActivityCall#proceed}. What it returns or throws is
   * recorded as if the activity had done so.
   */
  @Nullable Object intercept(ActivityCall call) throws Exception;
}
