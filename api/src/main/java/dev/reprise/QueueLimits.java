package dev.reprise;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How much of a queue runs at once, and for whom first. Immutable; made by changing {@link
 * #none()}. Limits belong to the queue, in the database: they hold for all its workers, and may be
 * changed at any time.
 *
 * @param perWorker at most so many in one worker, if that is less than it was made for; null for
 *     what it was made for
 * @param concurrency at most so many in all workers together; 0 pauses the queue, null is no limit
 * @param perKey at most so many of one key in all workers together; null is no limit. What has no
 *     key is one key together
 * @param rate how many may begin in a time; null is no limit
 * @param turns whether keys take turns, however much of one waits; they do in any case where there
 *     is a limit per key
 * @param weights of keys, where they take turns; 1 for others
 */
public record QueueLimits(
    @Nullable Integer perWorker,
    @Nullable Integer concurrency,
    @Nullable Integer perKey,
    @Nullable Rate rate,
    boolean turns,
    Map<String, Integer> weights) {

  private static final QueueLimits NONE = new QueueLimits(null, null, null, null, false, Map.of());

  public QueueLimits {
    check(perWorker, 1, "concurrency per worker");
    check(concurrency, 0, "concurrency");
    check(perKey, 1, "concurrency per key");
    for (var weight : weights.entrySet())
      check(weight.getValue(), 1, "weight of " + weight.getKey());
    weights = Map.copyOf(weights);
  }

  /**
   * How many may begin in a time.
   *
   * @param count at least 1
   */
  public record Rate(int count, Duration per) {
    public Rate {
      if (count < 1) throw invalid("the rate must be at least 1: " + count);
      if (!per.isPositive()) throw invalid("the time of a rate must be positive: " + per);
      per = Durations.bounded(per);
    }
  }

  private static void check(@Nullable Integer limit, int least, String what) {
    if (limit != null && limit < least) {
      throw invalid("the %s must be at least %d: %d".formatted(what, least, limit));
    }
  }

  private static RepriseException invalid(String message) {
    return new RepriseException(ErrorCode.R135, message);
  }

  /** No limits but what each worker was made for; first in, first out. */
  public static QueueLimits none() {
    return NONE;
  }

  public QueueLimits perWorker(int limit) {
    return new QueueLimits(limit, concurrency, perKey, rate, turns, weights);
  }

  public QueueLimits concurrency(int limit) {
    return new QueueLimits(perWorker, limit, perKey, rate, turns, weights);
  }

  /** Hands nothing out any more, until another concurrency is set. What runs goes on. */
  public QueueLimits paused() {
    return concurrency(0);
  }

  public QueueLimits perKey(int limit) {
    return new QueueLimits(perWorker, concurrency, limit, rate, turns, weights);
  }

  /**
   * At most so many begin at once, and come back evenly in that time: in any stretch of time T at
   * most {@code count * (1 + T / per)}, by the clock of the database.
   */
  public QueueLimits rate(int count, Duration per) {
    return new QueueLimits(perWorker, concurrency, perKey, new Rate(count, per), turns, weights);
  }

  /** Keys take turns. */
  public QueueLimits fair() {
    return new QueueLimits(perWorker, concurrency, perKey, rate, true, weights);
  }

  /** Keys take turns, and this one gets so many of them where others get one. */
  public QueueLimits weight(String key, int weight) {
    var all = new TreeMap<>(weights);
    all.put(ActivityOptions.named(key, "key"), weight);
    return new QueueLimits(perWorker, concurrency, perKey, rate, true, all);
  }

  /** Whether it matters whose a task is. */
  public boolean byKey() {
    return turns || perKey != null;
  }
}
