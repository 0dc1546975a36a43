package dev.reprise.verification.bench;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** How long something took, again and again. For one thread. */
final class Latencies {
  private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private long[] nanos = new long[16];
  private int count;
  private boolean sorted;

  void add(long duration) {
    if (count == nanos.length) nanos = Arrays.copyOf(nanos, count * 2);
    nanos[count++] = duration;
    sorted = false;
  }

  void addAll(Latencies others) {
    int sum = count + others.count;
    if (sum > nanos.length) nanos = Arrays.copyOf(nanos, Math.max(sum, count * 2));
    System.arraycopy(others.nanos, 0, nanos, count, others.count);
    count = sum;
    sorted = false;
  }

  int count() {
    return count;
  }

  /**
   * The time that so many percent did not exceed, in milliseconds; not a number if there is none.
   */
  double percentile(double percent) {
    if (count == 0) return Double.NaN;
    if (!sorted) Arrays.sort(nanos, 0, count);
    sorted = true;
    int rank = (int) Math.ceil(percent / 100 * count);
    return nanos[Math.max(rank, 1) - 1] / NANOS_PER_MILLI;
  }
}
