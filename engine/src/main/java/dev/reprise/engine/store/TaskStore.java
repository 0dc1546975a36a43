package dev.reprise.engine.store;

import dev.reprise.QueueLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Work that waits on queues. Tasks come into it with the events that ask for them, in {@link
 * Store#commit}; here they are handed out, and leave.
 *
 * <p>A task needs no fence: what is done to it counts only for the hand-out that was the last one.
 * So every call may be made again if its answer was lost. All times are of the store's clock. Calls
 * are made from threads that the engine owns, and are durable when they return.
 */
public interface TaskStore {

  /**
   * Hands out tasks of a queue that are ready or whose time has come, as far as its limits allow:
   * by priority, then in turns if keys take turns, then the longest ready first. Each counts one
   * attempt more. Tasks that nobody wants any more are not handed out.
   *
   * <p>For a rate the time of the taker does not count where many engines share the store, but that
   * of the store's own clock while nobody else takes from the queue ({@link TakeTime}).
   */
  List<Handout> take(Take take);

  /** Changes tasks, and tells their runs. One answer for each, in order. */
  List<Report.Reply> report(List<Report> reports, Instant now);

  /** Extends leases. One answer for each, in order. */
  List<Beat.Answer> heartbeat(List<Beat> beats, Instant now);

  /**
   * Tasks that somebody has to look at by then: their lease, their time or their patience is over,
   * or nobody wants them and no worker has them.
   */
  List<TaskView> overdue(Instant now, int limit);

  /** When the next task is overdue. */
  Optional<Instant> nextOverdue();

  /**
   * When there is more of a queue to take, if that is a matter of time: when one that waits for its
   * time becomes ready, or when the rate allows one more.
   */
  Optional<Instant> nextReady(String queue);

  /**
   * Queues whose first in line has waited for a worker since before then, and since when. Cheap:
   * one look at the index for each queue.
   */
  Map<String, Instant> waitingSince(Instant before);

  /**
   * What has waited on a queue for a worker since before then, by name, and since when; of what is
   * first in line only, and so not all of it on a long queue.
   */
  Map<String, Instant> namesWaiting(String queue, Instant before);

  /** How much of a queue is looked at for that. */
  int HEAD = 200;

  /** The tasks of a run. */
  List<TaskView> ofRun(long run);

  Optional<TaskView> find(TaskRef ref);

  /** The first event of a run that waits to begin; empty once it has begun or is closed. */
  Optional<EventRow> startOf(long run);

  /** The run of a queue that waits or runs with that unique key. */
  Optional<Long> runWith(String queue, String unique);

  /**
   * Gives a run that waits another start and another time, if it has not been handed out.
   *
   * @param start its first event
   * @return false if it was handed out, or is not there
   */
  boolean replace(String queue, String unique, EventRow start, Instant visibleAt, Instant now);

  // ---- queues ---------------------------------------------------------------------------------

  QueueLimits limits(String queue);

  void limit(String queue, QueueLimits limits);

  /** Counts of one queue, or of all on which something is or that have limits. */
  List<QueueCount> count(@Nullable String queue);

  /** Somebody serves a queue, and lives. Called again from time to time. */
  void serve(WorkerRow worker);

  /** He does so no more. */
  void leave(UUID worker);

  /** Who serves queues and was heard of since then. Forgets those who were not for a day. */
  List<WorkerRow> workers(Instant since);

  /**
   * What a worker takes.
   *
   * @param hand the same if a call is made again since its answer was lost: what was taken then is
   *     in the answer, and no more; else another
   * @param worker for people, who looks
   * @param policies what it can run, with what it says about retries as JSON, or empty
   * @param limit at most so many
   * @param perWorker how many the worker has already
   */
  record Take(
      UUID hand,
      String queue,
      String worker,
      Map<String, String> policies,
      int limit,
      int perWorker,
      Instant now) {
    public Take {
      policies = Map.copyOf(policies);
    }
  }

  /**
   * A heartbeat.
   *
   * @param hand counts only if this call handed it out; null if that is not known
   * @param details of how far it has come; null to keep the last
   */
  record Beat(TaskRef ref, int attempt, @Nullable UUID hand, byte @Nullable [] details) {
    /**
     * What came of it.
     *
     * @param isHeld whether the worker still has the task
     * @param leaseUntil until when, if so
     * @param cancelled whether nobody wants it any more
     */
    public record Answer(boolean isHeld, @Nullable Instant leaseUntil, boolean cancelled) {
      public static final Answer LOST = new Answer(false, null, false);
    }
  }

  /**
   * How much is on a queue.
   *
   * @param oldest since when the one is ready that has waited longest, or null
   */
  record QueueCount(
      String queue,
      long ready,
      long delayed,
      long leased,
      long external,
      long open,
      @Nullable Instant oldest) {}

  /** How long a worker may be unheard of before it counts as gone. */
  Duration WORKER_SILENCE = Duration.ofSeconds(30);
}
