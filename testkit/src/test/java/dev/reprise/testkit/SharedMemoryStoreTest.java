package dev.reprise.testkit;

import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Store;
import dev.reprise.testkit.contract.SharedStoreContract;

class SharedMemoryStoreTest implements SharedStoreContract {
  private final Store store = MemoryStore.forMany();

  @Override
  public Store store() {
    return store;
  }
}
