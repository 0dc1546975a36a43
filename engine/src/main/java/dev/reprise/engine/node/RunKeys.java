package dev.reprise.engine.node;

import dev.reprise.engine.store.Store;
import java.util.function.LongSupplier;

/** Hands out run keys, taken from the store in blocks. */
final class RunKeys {
  private static final int BLOCK = 1_000;

  private final LongSupplier blocks;
  private long next;
  private long end;

  /**
   * @param recovery reads the store on a thread of the engine, because callers may be on any
   */
  RunKeys(Store store, Recovery recovery) {
    this.blocks = () -> recovery.read(() -> store.reserveKeys(BLOCK));
  }

  synchronized long next() {
    if (next == end) refill();
    return next++;
  }

  private void refill() {
    next = blocks.getAsLong();
    end = next + BLOCK;
  }
}
