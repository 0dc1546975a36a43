package dev.reprise.engine.machine;

import java.time.Duration;

/**
 * How long to wait before the next look: shorter after something was found, longer and longer while
 * nothing is, and never quite the same, so that many nodes do not look at the same moment.
 */
public final class Pace {
  private static final double JITTER = 0.25;

  private final Machine machine;
  private final long shortest;
  private final long longest;
  private long pause;

  public Pace(Machine machine, Duration shortest, Duration longest) {
    this.machine = machine;
    this.shortest = shortest.toNanos();
    this.longest = longest.toNanos();
    this.pause = this.shortest;
  }

  /** There is something to do. */
  public synchronized void found() {
    pause = shortest;
  }

  /** How long to wait now. */
  public synchronized Duration next() {
    var now = Math.round(pause * machine.random().nextDouble(1 - JITTER, 1 + JITTER));
    pause = Math.min(longest, pause + pause / 2);
    return Duration.ofNanos(now);
  }
}
