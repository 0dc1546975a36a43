package dev.reprise.engine.node;

import dev.reprise.engine.journal.Journal;
import dev.reprise.engine.machine.Errands;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.task.Workers;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What an engine does at a moment. When it is not busy and no activity runs, nothing happens any
 * more until a timer goes off or somebody calls: that is when a test may move the time.
 *
 * @param busy whether code of a workflow runs, or something is on its way to or from the store
 * @param activities how many activities run; not exact while it is busy
 * @param nextTimer when the next timer goes off
 */
public record Motion(boolean busy, int activities, Optional<Instant> nextTimer) {
  private static final long PATIENCE = 20; // milliseconds for a run to answer; then its code runs

  /**
   * Looks twice. What runs do comes from the journal, the loader, activities and timers. If the
   * first two rested before, and have done nothing until after each run was seen to wait, then no
   * run can have begun anything since it was seen.
   */
  static Motion of(
      Journal journal,
      Errands loader,
      @Nullable Workers workers,
      Collection<LiveRun> runs,
      Timers timers) {
    long before = journal.committed() + loader.count() + count(workers);
    boolean rested = journal.isIdle() && loader.areDone() && rest(workers);
    int activities = workers == null ? 0 : workers.running();
    boolean busy = false;
    for (var run : runs) {
      var seen = snapshot(run);
      busy |= seen.busy();
      activities += seen.activities();
    }
    boolean rests = journal.isIdle() && loader.areDone() && rest(workers);
    boolean moved = before != journal.committed() + loader.count() + count(workers);
    return new Motion(busy || !rested || !rests || moved, activities, timers.first());
  }

  private static boolean rest(@Nullable Workers workers) {
    return workers == null || !workers.areBusy();
  }

  private static long count(@Nullable Workers workers) {
    return workers == null ? 0 : workers.count();
  }

  private static LiveRun.Snapshot snapshot(LiveRun run) {
    try {
      return run.snapshot().get(PATIENCE, TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      return new LiveRun.Snapshot(0, 0, true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new LiveRun.Snapshot(0, 0, true);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
