package dev.reprise.engine.node;

import dev.reprise.engine.replay.RunPort.End;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Those who wait for the end of runs. */
final class Results {
  private final ConcurrentMap<Long, CompletableFuture<End>> watchers = new ConcurrentHashMap<>();
  private volatile @Nullable RuntimeException over; // why nobody is told anything any more

  /** Completes when the run is closed or blocked. */
  CompletableFuture<End> watch(long run) {
    var watcher = watchers.computeIfAbsent(run, _ -> new CompletableFuture<>());
    if (over != null) watcher.completeExceptionally(over);
    return watcher;
  }

  void tell(long run, End end) {
    var watcher = watchers.remove(run);
    if (watcher != null) watcher.complete(end);
  }

  void forget(long run) {
    watchers.remove(run);
  }

  /** Nobody will ever know, nor those who ask from now on. */
  void fail(RuntimeException why) {
    over = why;
    for (var run : watchers.keySet()) {
      var watcher = watchers.remove(run);
      if (watcher != null) watcher.completeExceptionally(why);
    }
  }
}
