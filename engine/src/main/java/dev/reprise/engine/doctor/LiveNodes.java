package dev.reprise.engine.doctor;

import dev.reprise.NodeDescription.State;
import dev.reprise.engine.store.NodeRow;
import dev.reprise.engine.store.NodeView;
import dev.reprise.engine.store.Store;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which nodes do their work. Nodes come while the doctor reads: who is not known is asked for. */
final class LiveNodes {
  private final Store store;
  private final Set<UUID> live = new HashSet<>();
  private final Set<UUID> dead = new HashSet<>();
  private int size;

  LiveNodes(Store store) {
    this.store = store;
  }

  /** Reads who is there. */
  void read() {
    List<NodeRow> rows = store.nodes();
    size = rows.size();
    for (var row : rows) {
      (NodeView.stateOf(row) == State.ALIVE ? live : dead).add(row.node());
    }
  }

  boolean isLive(@Nullable UUID node) {
    if (node == null || dead.contains(node)) return false;
    if (live.contains(node)) return true;
    read();
    if (live.contains(node)) return true;
    dead.add(node);
    return false;
  }

  /** How many there were, of all kinds. */
  int size() {
    return size;
  }
}
