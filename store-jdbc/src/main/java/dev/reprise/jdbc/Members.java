package dev.reprise.jdbc;

import dev.reprise.engine.store.Store.Fenced;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The nodes that have joined through this store: one, but for tests. */
final class Members {
  private final Map<UUID, Member> joined = new ConcurrentHashMap<>();

  void add(Member member) {
    joined.put(member.node, member);
  }

  Optional<Member> remove(UUID node) {
    return Optional.ofNullable(joined.remove(node));
  }

  Member get(UUID node) {
    return find(node)
        .orElseThrow(() -> new Fenced("node " + node + " has not joined, or has left"));
  }

  Optional<Member> find(UUID node) {
    return Optional.ofNullable(joined.get(node));
  }
}
