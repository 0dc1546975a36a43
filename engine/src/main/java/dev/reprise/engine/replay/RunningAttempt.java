package dev.reprise.engine.replay;

import dev.reprise.engine.machine.Overrun;
import java.time.Duration;

/**
 * An attempt of an inline activity that runs at this moment.
 *
 * @param id of the activity in the history
 * @param number of the attempt, from 1
 * @param nanos how long it has run
 * @param quietNanos how long it has sent no heartbeat
 * @param isLimited whether a timeout ends it
 * @param thread it runs on, if it is not limited
 */
public record RunningAttempt(
    String id, int number, long nanos, long quietNanos, boolean isLimited, Thread thread) {

  /** From when on it is suspicious that nothing is heard of an attempt that nothing limits. */
  public static final Overrun LONG = new Overrun(Duration.ofMinutes(1));
}
