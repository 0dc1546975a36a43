package dev.reprise.engine.node;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Hands out run keys, taken from the store in blocks. */
final class RunKeys {
  private static final int BLOCK = 1_000;

  private final LongSupplier blocks;
  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private long next;
  private long end;

  /**
   * @param recovery reads the store on a thread of the engine, because callers may be on any
   * @param patience how long a caller waits for another one who asks the store
   */
  RunKeys(Store store, Recovery recovery, Duration patience) {
    this.blocks = () -> recovery.read(() -> store.reserveKeys(BLOCK));
    this.patience = patience;
  }

  long next() {
    if (!isMyTurn()) {
      throw new StoreUnavailable("the database did not answer within %s".formatted(patience), null);
    }
    try {
      if (next == end) refill();
      return next++;
    } finally {
      lock.unlock();
    }
  }

  private boolean isMyTurn() {
    try {
      return lock.tryLock() || lock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void refill() {
    next = blocks.getAsLong();
    end = next + BLOCK;
  }
}
