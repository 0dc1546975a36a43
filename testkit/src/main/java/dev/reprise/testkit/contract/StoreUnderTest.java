package dev.reprise.testkit.contract;

import dev.reprise.engine.store.Store;

/** What the parts of the contract have in common. */
public interface StoreUnderTest {

  /** The store, the same one throughout a test, empty at its beginning. */
  Store store();

  /** A node that has just joined. */
  default TestNode join() {
    return TestNode.join(store());
  }
}
