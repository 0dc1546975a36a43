package dev.reprise.engine.store;

import dev.reprise.engine.store.TaskStore.Take;
import java.time.Instant;
import java.time.InstantSource;

/**
 * What time it is for the rate of a queue. It must be one clock that is read while nobody else
 * takes from the queue: then a rate is kept exactly, whatever the clocks of nodes say and however
 * long a worker stood still after it looked at its own. Called under the lock of the store.
 */
public interface TakeTime {
  Instant of(Take take);

  /** By the store's own clock, for stores that many engines share. */
  static TakeTime of(InstantSource clock) {
    return _ -> clock.instant();
  }

  /**
   * By the clock of the only engine, which does not go back. Its workers read that before they have
   * the lock, so the latest reading counts.
   */
  static TakeTime ofOneEngine() {
    return new TakeTime() {
      private Instant latest = Instant.MIN;

      @Override
      public Instant of(Take take) {
        if (take.now().isAfter(latest)) latest = take.now();
        return latest;
      }
    };
  }
}
