package dev.reprise.engine.machine;

import java.time.Duration;

/**
 * When to say that something takes long: once when it has taken as long as the limit, and again
 * each time that has doubled. Knows no clock.
 *
 * @param limit up to which nothing is said
 */
public record Overrun(Duration limit) {

  /**
   * Whether there is something to say now.
   *
   * @param nanos how long it has taken
   * @param sinceLastLook how long ago the same was asked
   */
  public boolean isNews(long nanos, long sinceLastLook) {
    return level(nanos) > level(nanos - sinceLastLook);
  }

  private int level(long nanos) {
    if (nanos < limit.toNanos()) return 0;
    return Long.SIZE - Long.numberOfLeadingZeros(nanos / limit.toNanos());
  }
}
