package dev.reprise.engine.node;

import dev.reprise.engine.journal.Lease;
import dev.reprise.engine.store.NodeRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Decides which of the other nodes are gone, from one look at them to the next.
 *
 * <p>A dead process has disappeared from the database; a second of grace is for one that only has
 * to connect again, unless it is known to have ended. A frozen one is still there, and has not
 * renewed its lease for as long as that, by the clock of this process: the clock of the database
 * may have been set forward. If that clock says that the lease goes on, because it was set back,
 * the node gets a second more. A node that has committed something between two looks is alive,
 * whatever else it looks like.
 */
final class Absences {
  private final Predicate<String> hasEnded;
  private Map<UUID, Sighting> known = Map.of();

  /** What a node looks like, and since when it has looked like that. */
  private record Sighting(long sequence, boolean present, long sinceNanos) {}

  /**
   * @param hasEnded whether the process of that host is known to have ended
   */
  Absences(Predicate<String> hasEnded) {
    this.hasEnded = hasEnded;
  }

  /** When a look began and ended: what it shows was so at some time in between. */
  record Look(long fromNanos, long untilNanos) {}

  /**
   * Those that must be taken for gone, now that a look has shown this. A node has looked like that
   * at least from the end of the first such look to the beginning of this one: a process that
   * stands still during a look must not take that time for the silence of another.
   */
  List<NodeRow> gone(UUID self, List<NodeRow> nodes, Look look) {
    var gone = new ArrayList<NodeRow>();
    var seen = new HashMap<UUID, Sighting>();
    for (var node : nodes) {
      if (node.node().equals(self) || node.isFenced() || node.isClient()) continue;
      var sighting = sighting(node, look.untilNanos());
      seen.put(node.node(), sighting);
      long silence = Math.max(0, look.fromNanos() - sighting.sinceNanos());
      if (silence >= patience(node).toNanos()) gone.add(node);
    }
    known = seen;
    return gone;
  }

  /** Whether there were others when it last looked. */
  boolean seesOthers() {
    return !known.isEmpty();
  }

  /** There was no look: while the database is away, nobody can show that he lives. */
  void lookFailed() {
    known = Map.of();
  }

  private Sighting sighting(NodeRow node, long nowNanos) {
    var now = new Sighting(node.sequence(), node.isPresent(), nowNanos);
    var before = known.getOrDefault(node.node(), now);
    boolean same = before.sequence() == now.sequence() && before.present() == now.present();
    return same ? before : now;
  }

  private Duration patience(NodeRow node) {
    if (node.isPresent() && node.isLeaseOver()) return node.lease();
    if (node.isPresent()) return node.lease().plus(Lease.GRACE);
    return hasEnded.test(node.host()) ? Duration.ZERO : Lease.GRACE;
  }
}
