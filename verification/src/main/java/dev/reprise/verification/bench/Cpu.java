package dev.reprise.verification.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much of the processors this process had used at some moment.
 *
 * @param at the moment
 * @param used by all threads together
 */
record Cpu(long at, long used) {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  static Cpu now() {
    return new Cpu(System.nanoTime(), SYSTEM.getProcessCpuTime());
  }

  /** How many cores were busy with this process since then, on average. */
  double coresSince(Cpu before) {
    return (double) (used - before.used) / (at - before.at);
  }

  /** Begins to watch what all processes use; for {@link #othersSince}. */
  static Cpu watchAll() {
    SYSTEM.getCpuLoad(); // the next call tells the load since this one
    return now();
  }

  /** How many cores were busy with other processes since the watch began, on average. */
  static double othersSince(Cpu watch) {
    double all = SYSTEM.getCpuLoad() * SYSTEM.getAvailableProcessors();
    return Math.max(0, all - now().coresSince(watch));
  }
}
