package dev.reprise.engine.node;

import dev.reprise.RepriseException;
import dev.reprise.engine.bind.SourceHash;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Stored;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a run to an engine that has the code which ran it last, as long as such an engine lives.
 * So two applications with a workflow of the same name do not run each other's code, and in a
 * rolling deploy a run stays with its release until the last engine of that release is closed.
 *
 * <p>A run that was claimed and is another engine's is released before any code runs. Until an
 * engine has taken it, it is not claimed here again, unless no engine with its code is left. Only
 * the loader's thread changes what is known here.
 */
final class CodeRoutes {
  private static final int MAX =
      10_000; // of runs that wait for other engines, sent with each claim

  private final Store store;
  private final UUID node;
  private final Map<String, WorkflowDefinition> definitions;
  private final Set<String> own;
  private final Map<Long, String> left = new ConcurrentHashMap<>(); // codes, by run key

  CodeRoutes(Store store, UUID node, Map<String, WorkflowDefinition> definitions) {
    this.store = store;
    this.node = node;
    this.definitions = definitions;
    this.own =
        definitions.entrySet().stream()
            .filter(entry -> !entry.getValue().hash().equals(SourceHash.UNKNOWN))
            .map(entry -> code(entry.getKey(), entry.getValue().hash()))
            .collect(Collectors.toUnmodifiableSet());
  }

  /** A workflow, by a name that histories have, and what its code does. */
  private static String code(String workflow, String hash) {
    return workflow + " " + hash;
  }

  /** The codes of this engine. */
  Set<String> own() {
    return own;
  }

  /** Of runs that were claimed, the keys of those that are left to other engines. */
  Set<Long> ofOthers(List<LiveRun> runs, List<Stored> stored) {
    if (!store.isShared()) return Set.of();
    var others = new HashMap<Long, String>();
    for (int i = 0; i < runs.size(); i++) {
      var row = runs.get(i).row();
      var last = lastCode(stored.get(i).events());
      if (last != null && !last.equals(hashHere(row))) {
        others.put(row.key(), code(row.workflow(), last));
      }
    }
    if (others.isEmpty()) return Set.of();
    others.values().retainAll(store.codes());
    if (left.size() < MAX) left.putAll(others);
    return others.keySet();
  }

  private @Nullable String hashHere(RunRow row) {
    var here = definitions.get(row.workflow());
    return here == null ? null : here.hash();
  }

  private static @Nullable String lastCode(List<EventRow> history) {
    try {
      return SourceCheck.of(history).last();
    } catch (RepriseException damaged) {
      return null; // it is held here
    }
  }

  /** Whether the run was left to others, and none has taken it. */
  boolean isLeftToOthers(RunRow row) {
    return left.containsKey(row.key());
  }

  /** Runs that are not to be claimed here: they wait for others with their code, which live. */
  Set<Long> leftToOthers() {
    if (left.isEmpty()) return Set.of();
    left.values().retainAll(store.codes());
    var waiting =
        store.runs(left.keySet()).stream()
            .filter(row -> row.owner() == null || row.owner().equals(node))
            .map(RunRow::key)
            .collect(Collectors.toSet());
    left.keySet().retainAll(waiting);
    return Set.copyOf(left.keySet());
  }
}
