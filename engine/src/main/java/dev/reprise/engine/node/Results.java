package dev.reprise.engine.node;

import dev.reprise.engine.replay.RunPort.End;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Those who wait for the end of runs. */
final class Results {
  private final ConcurrentMap<Long, CompletableFuture<End>> watchers = new ConcurrentHashMap<>();

  /** Completes when the run is closed or blocked. */
  CompletableFuture<End> watch(long run) {
    return watchers.computeIfAbsent(run, _ -> new CompletableFuture<>());
  }

  void tell(long run, End end) {
    var watcher = watchers.remove(run);
    if (watcher != null) watcher.complete(end);
  }

  void forget(long run) {
    watchers.remove(run);
  }

  /** Nobody will ever know. */
  void fail(RuntimeException why) {
    for (var run : watchers.keySet()) {
      var watcher = watchers.remove(run);
      if (watcher != null) watcher.completeExceptionally(why);
    }
  }
}
