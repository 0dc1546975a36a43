package dev.reprise.testkit.contract;

import dev.reprise.ListQuery;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the parts of the contract have in common. */
public interface StoreUnderTest {

  /** The store, the same one throughout a test, empty at its beginning. */
  Store store();

  /** A node that has just joined. Those before it are gone. */
  default TestNode join() {
    if (store().isShared()) store().nodes().forEach(store()::fence);
    return TestNode.join(store());
  }

  /** What waits for a run, oldest first. */
  default List<String> values(long run) {
    return store().inputs(run).stream()
        .map(input -> new String(input.value(), StandardCharsets.UTF_8))
        .toList();
  }

  /** The latest run of a workflow id. */
  default List<RunRow> listed(ListQuery query) {
    return store().list(Filter.of(query, Rows.NOON), Long.MAX_VALUE, query.limit());
  }

  default RunRow found(String workflowId) {
    return store().find(workflowId).orElseThrow();
  }

  /** A node that has joined those that are there, if the store is shared. */
  default TestNode joinOthers() {
    return TestNode.join(store());
  }
}
