package dev.reprise.engine.node;

import dev.reprise.engine.replay.LiveRun;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many runs are active at once. More of them would not do more, only each take longer,
 * and a crash would make more work run again. The rest wait their turn in order. A run that is
 * parked on a timer or an input does not count; one that wakes up goes on at once.
 */
final class Admission {
  private final int limit;
  private final Set<LiveRun> active = new HashSet<>();
  private final Queue<Candidate> waiting = new ArrayDeque<>();

  private record Candidate(LiveRun run, Runnable begin) {}

  Admission(int limit) {
    this.limit = limit;
  }

  /** Begins the run now or when its turn comes. */
  void admit(LiveRun run, Runnable begin) {
    synchronized (this) {
      if (active.size() >= limit) {
        waiting.add(new Candidate(run, begin));
        return;
      }
      active.add(run);
    }
    begin.run();
  }

  /** The run goes on. */
  synchronized void enter(LiveRun run) {
    active.add(run);
  }

  /** The run waits or is gone: the next one begins. */
  void leave(LiveRun run) {
    var next = next(run);
    if (next != null) next.begin.run();
  }

  private synchronized @Nullable Candidate next(LiveRun leaving) {
    active.remove(leaving);
    if (active.size() >= limit) return null;
    var next = waiting.poll();
    if (next != null) active.add(next.run);
    return next;
  }

  /** How many more could begin at once. */
  synchronized int room() {
    return Math.max(0, limit - active.size() - waiting.size());
  }

  synchronized List<LiveRun> active() {
    return List.copyOf(active);
  }
}
