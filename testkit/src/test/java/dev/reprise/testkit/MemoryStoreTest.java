package dev.reprise.testkit;

import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Store;
import dev.reprise.testkit.contract.RateContract;
import dev.reprise.testkit.contract.StoreContract;

class MemoryStoreTest implements StoreContract, RateContract.OfOneEngine {
  private final Store store = new MemoryStore();

  @Override
  public Store store() {
    return store;
  }

  @Override
  public void damageEvent(long run, int index) {
    flip(store.history(run, index, 1).getFirst().value());
  }

  @Override
  public void damageInputs(long run) {
    for (var input : store.inputs(run)) flip(input.value());
  }

  @Override
  public void damageStart(long run) {
    flip(store.tasks().startOf(run).orElseThrow().value());
  }

  /** The store has this very array. */
  private static void flip(byte[] value) {
    value[0] ^= 1;
  }
}
