package dev.reprise.server;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread will bring about. */
final class Await {
  private static final Duration LIMIT = Duration.ofSeconds(20); // only what never happens fails
  private static final long PAUSE_NANOS = 1_000_000;

  private Await() {}

  static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) throw new AssertionError("never happened: " + what);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
