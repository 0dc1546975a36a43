package dev.reprise.engine.store;

import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Joining;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The nodes of a {@link MemoryStore} that may write: the last one that joined, or many. */
final class MemoryNodes {
  private final boolean many;
  private final Map<UUID, Member> members = new LinkedHashMap<>();

  private static final class Member {
    private final Joining joining;
    private final Instant joinedAt;
    private long sequence;
    private Instant leaseUntil;
    private boolean retired;

    private Member(Joining joining, Instant now) {
      this.joining = joining;
      this.joinedAt = now;
      this.leaseUntil = now.plus(joining.lease());
    }

    private NodeRow row(Instant now) {
      return new NodeRow(
          joining.node(),
          joining.host(),
          joining.isClient(),
          joinedAt,
          joining.lease(),
          leaseUntil,
          now.isAfter(leaseUntil),
          true,
          false,
          sequence,
          false,
          joining.workflows());
    }
  }

  MemoryNodes(boolean many) {
    this.many = many;
  }

  boolean areMany() {
    return many;
  }

  void join(Joining node, Instant now) {
    if (!many) members.clear();
    members.put(node.node(), new Member(node, now));
  }

  void retire(UUID node) {
    var member = members.get(node);
    if (member != null) member.retired = true;
  }

  void leave(UUID node) {
    members.remove(node);
  }

  Set<String> codes() {
    var codes = new HashSet<String>();
    for (var member : members.values()) if (!member.retired) codes.addAll(member.joining.codes());
    return codes;
  }

  boolean has(UUID node) {
    return members.containsKey(node);
  }

  List<NodeRow> rows(Instant now) {
    return members.values().stream().map(member -> member.row(now)).toList();
  }

  boolean fence(NodeRow seen) {
    var member = members.get(seen.node());
    if (member == null || member.sequence != seen.sequence()) return false;
    members.remove(seen.node());
    return true;
  }

  /** The node may write. */
  void check(UUID node) {
    member(node);
  }

  /** The node may write, and this batch is its next. */
  void check(Batch batch) {
    long last = member(batch.node()).sequence;
    if (batch.sequence() == last + 1) return;
    throw new Fenced("batch %d of a node at %d".formatted(batch.sequence(), last));
  }

  void committed(Batch batch, Instant now) {
    var member = member(batch.node());
    member.sequence = batch.sequence();
    if (batch.renews()) member.leaseUntil = now.plus(member.joining.lease());
  }

  private Member member(UUID node) {
    var found = members.get(node);
    if (found == null) throw new Fenced("node " + node + " has left or was superseded");
    return found;
  }
}
