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
 * to connect again, unless it is known to have ended. A frozen one is still there, and silent
 * beyond its lease. Whoever has committed something between two looks is alive, whatever else it
 * looks like.
 */
final class Absences {
  // After an outage of the database every lease is over; who lives shows himself within that time.
  private static final Duration SILENCE = Duration.ofSeconds(2);

  private final Predicate<String> hasEnded;
  private final Map<UUID, Absence> known = new HashMap<>();

  private record Absence(long sequence, boolean present, long sinceNanos) {}

  /**
   * @param hasEnded whether the process of that host is known to have ended
   */
  Absences(Predicate<String> hasEnded) {
    this.hasEnded = hasEnded;
  }

  /** Those that must be taken for gone, now that this was seen at that time. */
  List<NodeRow> gone(UUID self, List<NodeRow> nodes, long nowNanos) {
    var gone = new ArrayList<NodeRow>();
    var still = new HashMap<UUID, Absence>();
    for (var node : nodes) {
      if (node.node().equals(self) || node.isFenced() || node.isClient()) continue;
      if (node.isPresent() && !node.isLeaseOver()) continue;
      var absence = absence(node, nowNanos);
      if (nowNanos - absence.sinceNanos() >= patience(node).toNanos()) gone.add(node);
      else still.put(node.node(), absence);
    }
    known.clear();
    known.putAll(still);
    return gone;
  }

  private Absence absence(NodeRow node, long nowNanos) {
    var now = new Absence(node.sequence(), node.isPresent(), nowNanos);
    var before = known.getOrDefault(node.node(), now);
    boolean same = before.sequence() == now.sequence() && before.present() == now.present();
    return same ? before : now;
  }

  private Duration patience(NodeRow node) {
    if (node.isPresent()) return SILENCE;
    return hasEnded.test(node.host()) ? Duration.ZERO : Lease.GRACE;
  }
}
