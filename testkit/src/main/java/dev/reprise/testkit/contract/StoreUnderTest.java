package dev.reprise.testkit.contract;

import dev.reprise.engine.store.Store;

/** What the parts of the contract have in common. */
public interface StoreUnderTest {

  /** The store, the same one throughout a test, empty at its beginning. */
  Store store();

  /** A node that has just joined. Those before it are gone. */
  default TestNode join() {
    if (store().isShared()) store().nodes().forEach(store()::fence);
    return TestNode.join(store());
  }

  /** A node that has joined those that are there, if the store is shared. */
  default TestNode joinOthers() {
    return TestNode.join(store());
  }
}
