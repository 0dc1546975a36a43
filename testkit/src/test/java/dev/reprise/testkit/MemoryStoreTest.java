package dev.reprise.testkit;

import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Store;
import dev.reprise.testkit.contract.StoreContract;

class MemoryStoreTest implements StoreContract {
  private final Store store = new MemoryStore();

  @Override
  public Store store() {
    return store;
  }
}
