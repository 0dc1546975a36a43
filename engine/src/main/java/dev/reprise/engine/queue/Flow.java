package dev.reprise.engine.queue;

import dev.reprise.QueueLimits;
import dev.reprise.QueueLimits.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What has been handed out of a queue, as far as it matters for what may be handed out next.
 * Immutable.
 *
 * @param tokens how many may begin at that time, of a queue with a rate
 * @param at when that was
 * @param turn how far the turns have come
 * @param ahead keys that have had their turns up to later than that
 */
public record Flow(double tokens, @Nullable Instant at, double turn, Map<String, Double> ahead) {
  /** Of a queue from which nothing was handed out. */
  public static final Flow NEW = new Flow(0, null, 0, Map.of());

  public Flow {
    ahead = Map.copyOf(ahead);
  }

  /**
   * What has been spent comes back with time. A clock that was set back gives nothing by that, and
   * the count goes on from its new time: else the queue would stand still until it has caught up.
   *
   * @param now by one clock, read while nobody else takes from the queue: the clocks of several
   *     nodes, or times that were read before, would let the same time count twice
   */
  Flow filled(@Nullable Rate rate, Instant now) {
    if (rate == null) return new Flow(0, null, turn, ahead);
    if (at == null) return new Flow(rate.count(), now, turn, ahead);
    double passed = Math.max(0, seconds(Duration.between(at, now)));
    double full = Math.min(rate.count(), tokens + passed * rate.count() / seconds(rate.per()));
    return new Flow(full, now, turn, ahead);
  }

  /** So many have begun. */
  Flow spent(int count) {
    return at == null ? this : new Flow(tokens - count, at, turn, ahead);
  }

  /** When a key has its next turn. */
  double next(String key) {
    return Math.max(turn, ahead.getOrDefault(key, 0.0));
  }

  /**
   * A key has had its turn. The turns come as far as all keys that wait have on average, so that
   * new ones, however many come, do not keep those waiting that have had theirs; but not past one
   * that waits, which would lose a part of its turn.
   *
   * @param weights of all keys that wait
   */
  Flow served(String key, Map<String, Integer> weights) {
    long all = 0;
    double come = Double.MAX_VALUE;
    for (var waiting : weights.entrySet()) {
      all += waiting.getValue();
      come = Math.min(come, ahead.getOrDefault(waiting.getKey(), come));
    }
    double now = Math.max(turn, Math.min(come, turn + 1.0 / all));
    var changed = new HashMap<>(ahead);
    changed.put(key, next(key) + 1.0 / weights.getOrDefault(key, 1));
    changed.values().removeIf(until -> until <= now);
    return new Flow(tokens, at, now, changed);
  }

  /** When one more may begin, of a queue whose rate is reached; else null. */
  public @Nullable Instant again(QueueLimits limits) {
    var rate = limits.rate();
    if (rate == null || at == null || tokens >= 1) return null;
    double wait = (1 - tokens) * seconds(rate.per()) / rate.count();
    return at.plusNanos((long) Math.ceil(wait * 1e9));
  }

  private static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / 1e9;
  }
}
