package dev.reprise.engine.store;

import dev.reprise.NodeDescription;
import dev.reprise.NodeDescription.State;
import java.util.List;

/** Shows the nodes of a store to people and tools. */
public final class NodeView {
  private NodeView() {}

  /** All nodes that the store knows. */
  public static List<NodeDescription> of(Store store) {
    var owned = store.ownedRuns();
    return store.nodes().stream().map(row -> of(row, owned.getOrDefault(row.node(), 0L))).toList();
  }

  private static NodeDescription of(NodeRow row, long runs) {
    return new NodeDescription(
        row.node(),
        row.host(),
        row.isClient(),
        stateOf(row),
        row.joinedAt(),
        row.leaseUntil(),
        runs);
  }

  /** Whether others count on a node. */
  public static State stateOf(NodeRow row) {
    if (row.isFenced()) return State.FENCED;
    if (!row.isPresent()) return State.GONE;
    return row.isLeaseOver() ? State.SILENT : State.ALIVE;
  }
}
