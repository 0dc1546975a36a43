package dev.reprise.engine.node;

import dev.reprise.engine.store.Store;

/** Hands out run keys, taken from the store in blocks. */
final class RunKeys {
  private static final int BLOCK = 1_000;

  private final Store store;
  private long next;
  private long end;

  RunKeys(Store store) {
    this.store = store;
    refill();
  }

  synchronized long next() {
    if (next == end) refill();
    return next++;
  }

  private void refill() {
    next = store.reserveKeys(BLOCK);
    end = next + BLOCK;
  }
}
