package dev.reprise.engine.event;

import dev.reprise.ActivityOptions;
import dev.reprise.Durations;
import dev.reprise.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an activity is put on a queue.
 *
 * @param queue on which
 * @param priority lower numbers first
 * @param key for whom it is; empty if nobody said
 * @param retry what the call, or its engine, said about retries; null if nothing
 * @param timeout of an attempt, or null
 * @param visibility how long a worker may be silent; null for the default
 * @param heartbeat the same for one that sends heartbeats; or null
 * @param patience how long it may wait for its first attempt, or null
 * @param total how long it may take in all, or null
 */
public record Queueing(
    String queue,
    int priority,
    String key,
    @Nullable RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable Duration visibility,
    @Nullable Duration heartbeat,
    @Nullable Duration patience,
    @Nullable Duration total) {
  private static final String DEFAULT_QUEUE = "default";
  private static final Duration VISIBILITY = Duration.ofSeconds(30);

  /** Histories of earlier releases have limits without end. */
  public Queueing {
    timeout = bounded(timeout);
    visibility = bounded(visibility);
    heartbeat = bounded(heartbeat);
    patience = bounded(patience);
    total = bounded(total);
  }

  private static @Nullable Duration bounded(@Nullable Duration limit) {
    return limit == null ? null : Durations.bounded(limit);
  }

  /**
   * As the options of a call say.
   *
   * @param ofActivity what counts if they say nothing about retries, or null
   * @param timeout of an attempt, if they say none; or null
   */
  public static Queueing of(
      ActivityOptions options, @Nullable RetryPolicy ofActivity, @Nullable Duration timeout) {
    return new Queueing(
        queueOf(options),
        options.priority(),
        options.key().orElse(""),
        options.retry().orElse(ofActivity),
        options.timeout().orElse(timeout),
        options.visibility().orElse(null),
        options.heartbeatTimeout().orElse(null),
        options.queueTimeout().orElse(null),
        options.totalTimeout().orElse(null));
  }

  /** On which queue a call is put. */
  public static String queueOf(ActivityOptions options) {
    return options.queue().orElse(DEFAULT_QUEUE);
  }

  /** How long a worker may be silent about an attempt. */
  public Duration lease() {
    var silent = visibility == null ? VISIBILITY : visibility;
    return heartbeat == null || heartbeat.compareTo(silent) > 0 ? silent : heartbeat;
  }
}
