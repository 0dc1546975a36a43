package dev.reprise.engine.node;

import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.replay.RunPort.End;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Those who wait for the end of runs. */
final class Results {
  private static final long SHORTEST = 20_000_000; // nanoseconds between two looks at a run
  private static final long LONGEST = 1_000_000_000;
  private static final int MAX_LOOK = 1_000; // runs at a time

  private final Machine machine;
  private final ConcurrentMap<Long, Watch> watches = new ConcurrentHashMap<>();
  private volatile Runnable onWatch = () -> {};
  private volatile @Nullable RuntimeException over; // why nobody is told anything any more

  private static final class Watch {
    private final CompletableFuture<End> end = new CompletableFuture<>();
    private final long since;
    private volatile long looked;

    private Watch(long now) {
      this.since = now;
      this.looked = now;
    }

    /** The longer a run takes, the less it matters to hear of its end at once. */
    private boolean isDue(long now) {
      long pause = Math.clamp((now - since) / 4, SHORTEST, LONGEST);
      return now - looked >= pause;
    }
  }

  Results(Machine machine) {
    this.machine = machine;
  }

  /** Calls back when somebody begins to wait. The call must not block. */
  void onWatch(Runnable action) {
    onWatch = action;
  }

  boolean isEmpty() {
    return watches.isEmpty();
  }

  /** Completes when the run is closed or blocked. */
  CompletableFuture<End> watch(long run) {
    var end = watches.computeIfAbsent(run, _ -> new Watch(machine.nanoTime())).end;
    if (over != null) end.completeExceptionally(over);
    onWatch.run();
    return end;
  }

  void tell(long run, End end) {
    var watch = watches.remove(run);
    if (watch != null) watch.end.complete(end);
  }

  /** Nobody can say how it ended. */
  void fail(long run, RuntimeException why) {
    var watch = watches.remove(run);
    if (watch != null) watch.end.completeExceptionally(why);
  }

  void forget(long run) {
    watches.remove(run);
  }

  /** Watched runs that end elsewhere, and at which it is time to look. */
  List<Long> toLookAt(LongPredicate isHere) {
    if (watches.isEmpty()) return List.of();
    var due = new ArrayList<Long>();
    long now = machine.nanoTime();
    for (var entry : watches.entrySet()) {
      if (due.size() == MAX_LOOK) break;
      if (isHere.test(entry.getKey()) || !entry.getValue().isDue(now)) continue;
      entry.getValue().looked = now;
      due.add(entry.getKey());
    }
    return due;
  }

  /** Nobody will ever know, nor those who ask from now on. */
  void fail(RuntimeException why) {
    over = why;
    for (var run : watches.keySet()) {
      var watch = watches.remove(run);
      if (watch != null) watch.end.completeExceptionally(why);
    }
  }
}
