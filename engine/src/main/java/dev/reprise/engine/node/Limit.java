package dev.reprise.engine.node;

import dev.reprise.Durations;
import dev.reprise.engine.machine.Machine;
import java.time.Duration;

/**
 * How long a caller waits in all, whatever has to be done for it and in how many parts.
 *
 * @param asked since when, by the monotonic clock
 */
record Limit(Machine machine, long asked, Duration length) {

  /** From now on. */
  static Limit of(Machine machine, Duration length) {
    return new Limit(machine, machine.nanoTime(), length);
  }

  Limit {
    length = length.isNegative() ? Duration.ZERO : Durations.bounded(length);
  }

  /** What is left of it, which may be nothing. */
  Duration left() {
    var left = length.minusNanos(machine.nanoTime() - asked);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
