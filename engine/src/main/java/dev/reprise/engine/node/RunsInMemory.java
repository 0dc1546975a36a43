package dev.reprise.engine.node;

import dev.reprise.engine.replay.LiveRun;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The runs that a node has in memory, by their workflow id and by their key. */
final class RunsInMemory {
  private final ConcurrentMap<String, LiveRun> byId = new ConcurrentHashMap<>();
  private final ConcurrentMap<Long, LiveRun> byKey = new ConcurrentHashMap<>();

  void add(LiveRun run) {
    byKey.put(run.row().key(), run);
    byId.put(run.row().workflowId(), run);
  }

  /** Another one of the same name, that came since, stays. */
  void remove(LiveRun run) {
    byId.remove(run.row().workflowId(), run);
    byKey.remove(run.row().key(), run);
  }

  @Nullable LiveRun of(String workflowId) {
    return byId.get(workflowId);
  }

  @Nullable LiveRun of(long key) {
    return byKey.get(key);
  }

  Collection<LiveRun> all() {
    return byId.values();
  }

  int size() {
    return byId.size();
  }

  boolean isEmpty() {
    return byId.isEmpty();
  }
}
