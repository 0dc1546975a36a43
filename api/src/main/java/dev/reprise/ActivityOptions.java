package dev.reprise;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How an activity is run. Immutable; made by changing the defaults: {@code
 * ActivityOptions.defaults().retry(RetryPolicy.none()).timeout(Duration.ofSeconds(5))}, or by
 * naming the queue on which workers take it: {@code ActivityOptions.onQueue("gpu")}.
 *
 * <p>What says <i>queued</i> counts for activities on a queue only. Limits longer than {@link
 * Durations#MAX} count as that.
 */
public final class ActivityOptions {
  private static final ActivityOptions DEFAULTS = new ActivityOptions();

  // Set while it is made, and never again; nothing was said where null.
  private @Nullable String id;
  private @Nullable RetryPolicy retry;
  private @Nullable Duration timeout;
  private @Nullable String queue;
  private int priority;
  private @Nullable String key;
  private @Nullable Duration visibility;
  private @Nullable Duration heartbeatTimeout;
  private @Nullable Duration queueTimeout;
  private @Nullable Duration totalTimeout;

  private ActivityOptions() {}

  /** The same with one thing changed. */
  private ActivityOptions with(Consumer<ActivityOptions> change) {
    var copy = new ActivityOptions();
    copy.id = id;
    copy.retry = retry;
    copy.timeout = timeout;
    copy.queue = queue;
    copy.priority = priority;
    copy.key = key;
    copy.visibility = visibility;
    copy.heartbeatTimeout = heartbeatTimeout;
    copy.queueTimeout = queueTimeout;
    copy.totalTimeout = totalTimeout;
    change.accept(copy);
    return copy;
  }

  /** An id given by the engine, the engine's retry policy, no timeout, run inline. */
  public static ActivityOptions defaults() {
    return DEFAULTS;
  }

  /** The defaults, on that queue. */
  public static ActivityOptions onQueue(String queue) {
    return DEFAULTS.queue(queue);
  }

  /** The id in the history instead of {@code name:counter}; unique in the run. */
  public ActivityOptions id(String id) {
    var checked = Texts.checked(id, "activity id", Integer.MAX_VALUE);
    return with(copy -> copy.id = checked);
  }

  /** What happens after a failed attempt. */
  public ActivityOptions retry(RetryPolicy retry) {
    var checked = Objects.requireNonNull(retry);
    return with(copy -> copy.retry = checked);
  }

  /**
   * How long one attempt may take. After that its thread is interrupted, the attempt counts as
   * failed, and whatever it still returns is ignored.
   */
  public ActivityOptions timeout(Duration timeout) {
    var checked = Durations.positive(timeout, "timeout");
    return with(copy -> copy.timeout = checked);
  }

  /** Not inline, but by a worker that serves this queue, in any process. */
  public ActivityOptions queue(String queue) {
    var checked = named(queue, "queue");
    return with(copy -> copy.queue = checked);
  }

  /** Queued: lower numbers are taken first; 0 by default. */
  public ActivityOptions priority(int priority) {
    return with(copy -> copy.priority = priority);
  }

  /** Queued: the tenant or customer it belongs to, to which per-key {@link QueueLimits} apply. */
  public ActivityOptions key(String key) {
    var checked = named(key, "key");
    return with(copy -> copy.key = checked);
  }

  /**
   * Queued: how long a worker may be silent about an attempt, 30 s by default. A heartbeat counts
   * anew. After that the worker is taken for lost, and the activity is handed out again.
   */
  public ActivityOptions visibility(Duration visibility) {
    var checked = Durations.positive(visibility, "visibility timeout");
    return with(copy -> copy.visibility = checked);
  }

  /**
   * Queued: how long an attempt may go without a heartbeat, if that is less than the visibility
   * timeout. For activities that send one regularly.
   */
  public ActivityOptions heartbeatTimeout(Duration timeout) {
    var checked = Durations.positive(timeout, "heartbeat timeout");
    return with(copy -> copy.heartbeatTimeout = checked);
  }

  /** Queued: how long it may wait until a worker takes it for the first time. */
  public ActivityOptions queueTimeout(Duration timeout) {
    var checked = Durations.positive(timeout, "queue timeout");
    return with(copy -> copy.queueTimeout = checked);
  }

  /** Queued: how long it may take in all, waiting and all attempts included. */
  public ActivityOptions totalTimeout(Duration timeout) {
    var checked = Durations.positive(timeout, "total timeout");
    return with(copy -> copy.totalTimeout = checked);
  }

  /** The same, and what the others say where these say nothing. */
  public ActivityOptions otherwise(ActivityOptions others) {
    if (this == DEFAULTS) return others;
    return with(
        copy -> {
          copy.id = id == null ? others.id : id;
          copy.retry = retry == null ? others.retry : retry;
          copy.timeout = timeout == null ? others.timeout : timeout;
          copy.queue = queue == null ? others.queue : queue;
          copy.priority = priority == 0 ? others.priority : priority;
          copy.key = key == null ? others.key : key;
          copy.visibility = visibility == null ? others.visibility : visibility;
          copy.heartbeatTimeout =
              heartbeatTimeout == null ? others.heartbeatTimeout : heartbeatTimeout;
          copy.queueTimeout = queueTimeout == null ? others.queueTimeout : queueTimeout;
          copy.totalTimeout = totalTimeout == null ? others.totalTimeout : totalTimeout;
        });
  }

  static String named(String name, String what) {
    return Texts.checked(name, what, Texts.MAX_NAME);
  }

  /** The explicit id, if one was given. */
  public Optional<String> id() {
    return Optional.ofNullable(id);
  }

  /** The retry policy, if it is not that of the activity, the worker or the engine. */
  public Optional<RetryPolicy> retry() {
    return Optional.ofNullable(retry);
  }

  /** The limit of one attempt, if there is one. */
  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }

  /** The queue; empty for an activity that runs inline. */
  public Optional<String> queue() {
    return Optional.ofNullable(queue);
  }

  public int priority() {
    return priority;
  }

  /** The tenant or customer it belongs to, if one was given. */
  public Optional<String> key() {
    return Optional.ofNullable(key);
  }

  /** How long a worker may be silent, if that was said. */
  public Optional<Duration> visibility() {
    return Optional.ofNullable(visibility);
  }

  /** How long an attempt may go without a heartbeat, if that was said. */
  public Optional<Duration> heartbeatTimeout() {
    return Optional.ofNullable(heartbeatTimeout);
  }

  /** How long it may wait for its first attempt, if that is limited. */
  public Optional<Duration> queueTimeout() {
    return Optional.ofNullable(queueTimeout);
  }

  /** How long it may take in all, if that is limited. */
  public Optional<Duration> totalTimeout() {
    return Optional.ofNullable(totalTimeout);
  }
}
