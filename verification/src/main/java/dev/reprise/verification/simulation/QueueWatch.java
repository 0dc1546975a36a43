package dev.reprise.verification.simulation;

import dev.reprise.QueueLimits;
import dev.reprise.engine.store.TaskStore.Take;
import dev.reprise.verification.simulation.WatchedTask.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether the limits of one queue are kept, counted apart from how the engine counts. */
final class QueueWatch {
  private static final double ALMOST = 1e-6;

  private final String queue;
  private final List<Duration> begun = new ArrayList<>(); // since the rate was set
  private QueueLimits limits = QueueLimits.none();
  private @Nullable Instant last; // when somebody last took, by the database's clock
  private Duration passed = Duration.ZERO; // by that clock, without what it was set back

  QueueWatch(String queue) {
    this.queue = queue;
  }

  void limited(QueueLimits changed) {
    limits = changed;
    begun.clear();
  }

  boolean isPaused() {
    var most = limits.concurrency();
    return most != null && most == 0;
  }

  /**
   * What is wrong with a hand-out, when its tasks count as leased already.
   *
   * @param now by the database's clock
   */
  @Nullable String taken(Take take, int fresh, Collection<WatchedTask> tasks, Instant now) {
    if (last != null && now.isAfter(last)) passed = passed.plus(Duration.between(last, now));
    last = now;
    if (fresh == 0) return null;
    var keys = new HashMap<String, Integer>();
    int running = 0;
    for (var task : tasks) {
      if (task.state != State.LEASED || !task.task.queue().equals(queue)) continue;
      running++;
      keys.merge(task.task.key(), 1, Integer::sum);
    }
    if (isMore(running, limits.concurrency())) return "%d run at once".formatted(running);
    if (isMore(fresh + take.perWorker(), limits.perWorker())) return "a worker has too many";
    boolean crowded =
        tasks.stream()
            .filter(task -> take.hand().equals(task.hand))
            .anyMatch(task -> isMore(keys.getOrDefault(task.task.key(), 0), limits.perKey()));
    if (crowded) return "too many of one key run at once: " + keys;
    return rate(fresh);
  }

  private static boolean isMore(int count, @Nullable Integer limit) {
    return limit != null && count > limit;
  }

  /**
   * In any time no more than may begin at once and what comes back in that time, by the database's
   * clock. A clock that is set back takes nothing away.
   */
  private @Nullable String rate(int fresh) {
    var rate = limits.rate();
    if (rate == null) return null;
    for (int i = 0; i < fresh; i++) begun.add(passed);
    for (int i = 0; i < begun.size(); i++) {
      var since = passed.minus(begun.get(i));
      double most = rate.count() * (1 + (double) since.toNanos() / rate.per().toNanos());
      if (begun.size() - i > most + ALMOST) {
        return "%d have begun in %s, allowed are %.1f".formatted(begun.size() - i, since, most);
      }
    }
    return null;
  }

  /** Whether something is ready for a worker that has room, and is not handed out. */
  boolean isHeldBack(Take take, int fresh, Collection<WatchedTask> tasks) {
    if (limits.equals(QueueLimits.none()) || fresh >= take.limit()) return false;
    return tasks.stream()
        .anyMatch(
            task ->
                task.state == State.WAITS
                    && !task.cancelled
                    && task.task.queue().equals(queue)
                    && !task.visibleAt.isAfter(take.now()));
  }
}
