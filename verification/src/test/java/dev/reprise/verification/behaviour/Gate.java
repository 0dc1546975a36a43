package dev.reprise.verification.behaviour;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds whoever passes through until the test opens it, and tells the test that somebody came. */
final class Gate {
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  /** Waits until the gate is open. */
  void pass() throws InterruptedException {
    reached.countDown();
    open.await();
  }

  /** Waits until somebody has come to the gate. */
  void awaitReached() throws InterruptedException {
    if (!reached.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("nobody came to the gate");
    }
  }

  boolean isReached() {
    return reached.getCount() == 0;
  }

  void open() {
    open.countDown();
  }
}
