package dev.reprise.engine.store;

import dev.reprise.NodeDescription;
import dev.reprise.NodeDescription.State;
import java.time.Instant;
import java.util.List;

/** Shows the nodes of a store to people and tools. */
public final class NodeView {
  private NodeView() {}

  /** All nodes that the store knows, but for those that have left in good order. */
  public static List<NodeDescription> of(Store store) {
    var owned = store.ownedRuns();
    return store.nodes().stream()
        .filter(row -> !row.hasLeft())
        .map(row -> of(row, owned.getOrDefault(row.node(), 0L)))
        .toList();
  }

  private static NodeDescription of(NodeRow row, long runs) {
    return new NodeDescription(
        row.node(),
        row.host(),
        row.isClient(),
        stateOf(row),
        row.joinedAt(),
        row.isClient() ? Instant.MAX : row.leaseUntil(),
        runs);
  }

  /**
   * Whether others count on a node. Nobody takes anything over from a client: it need not renew its
   * lease while it has nothing to say, and lives as long as its process does.
   */
  public static State stateOf(NodeRow row) {
    if (row.isFenced()) return State.FENCED;
    if (!row.isPresent()) return State.GONE;
    if (row.isClient()) return State.ALIVE;
    return row.isLeaseOver() ? State.SILENT : State.ALIVE;
  }
}
