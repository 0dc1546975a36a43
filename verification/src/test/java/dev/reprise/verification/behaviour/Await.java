package dev.reprise.verification.behaviour;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread will bring about. */
public final class Await {
  /** Far longer than anything takes, so that only what never happens fails. */
  public static final Duration LIMIT = Duration.ofSeconds(20);

  private static final long PAUSE_NANOS = 200_000;

  private Await() {}

  public static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) throw new AssertionError("never happened: " + what);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
