package dev.reprise;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a workflow is started. Immutable; made by changing the defaults.
 *
 * <p>A workflow that is put on a queue, delayed or debounced is {@link Status#QUEUED} until it
 * begins. Signals sent to it meanwhile wait for it.
 *
 * <p>Times longer than {@link Durations#MAX} count as that.
 */
public final class StartOptions {
  private static final StartOptions DEFAULTS = new StartOptions();

  // Set while it is made, and never again; nothing was said where null.
  private @Nullable Duration timeout;
  private Map<String, Object> attributes = Map.of();
  private @Nullable String queue;
  private int priority;
  private @Nullable String key;
  private @Nullable Duration delay;
  private @Nullable String deduplication;
  private @Nullable Duration quiet;
  private IdReuse reuse = IdReuse.NEVER;

  private StartOptions() {}

  /** The same with one thing changed. */
  private StartOptions with(Consumer<StartOptions> change) {
    var copy = new StartOptions();
    copy.timeout = timeout;
    copy.attributes = attributes;
    copy.queue = queue;
    copy.priority = priority;
    copy.key = key;
    copy.delay = delay;
    copy.deduplication = deduplication;
    copy.quiet = quiet;
    copy.reuse = reuse;
    change.accept(copy);
    if (copy.reuse != IdReuse.NEVER && copy.deduplication != null) {
      throw new IllegalArgumentException(
          "a start that is deduplicated or debounced by a key does not use a workflow id again");
    }
    return copy;
  }

  /** The timeout that the workflow itself has, no attributes, at once. */
  public static StartOptions defaults() {
    return DEFAULTS;
  }

  /** The defaults, on that queue. */
  public static StartOptions onQueue(String queue) {
    return DEFAULTS.queue(queue);
  }

  /** How long the run may take, from its first line of code on, whatever the workflow says. */
  public StartOptions timeout(Duration timeout) {
    var checked = Durations.positive(timeout, "timeout");
    return with(copy -> copy.timeout = checked);
  }

  /**
   * An attribute by which the run can be found.
   *
   * @param value a {@link String}, {@link Number} or {@link Boolean}
   */
  public StartOptions attribute(String name, Object value) {
    var changed = new LinkedHashMap<>(attributes);
    changed.put(Attributes.checkedName(name), Attributes.checked(name, value));
    Attributes.checkNumber(changed.size(), name);
    return with(copy -> copy.attributes = Map.copyOf(changed));
  }

  /**
   * Begins when a worker of this queue takes it, within the {@link QueueLimits} of the queue: it
   * counts as running there until it is closed.
   */
  public StartOptions queue(String queue) {
    var checked = ActivityOptions.named(queue, "queue");
    return with(copy -> copy.queue = checked);
  }

  /** On a queue: lower numbers begin first; 0 by default. */
  public StartOptions priority(int priority) {
    return with(copy -> copy.priority = priority);
  }

  /** On a queue: the tenant or customer it belongs to, to which per-key limits apply. */
  public StartOptions key(String key) {
    var checked = ActivityOptions.named(key, "key");
    return with(copy -> copy.key = checked);
  }

  /** Begins that much later. */
  public StartOptions delay(Duration delay) {
    var checked = Durations.notNegative(delay, "the delay");
    return with(copy -> copy.delay = checked);
  }

  /**
   * While a run of the same workflow on the same queue with this key waits or runs, no other is
   * started: the start returns that one, whatever workflow id and input were given.
   */
  public StartOptions deduplicate(String key) {
    var checked = ActivityOptions.named(key, "deduplication key");
    return with(copy -> copy.deduplication = checked);
  }

  /**
   * Waits until there was no other start of the same workflow with this key for so long, and then
   * begins once, with the input of the last. A start that comes while one waits returns that one.
   */
  public StartOptions debounce(String key, Duration quiet) {
    var time = Durations.positive(quiet, "the time");
    var checked = ActivityOptions.named(key, "debounce key");
    return with(
        copy -> {
          copy.deduplication = checked;
          copy.quiet = time;
        });
  }

  /**
   * Whether a new run is started under the workflow id of one that was closed without a result;
   * never by default. There is at most one open run of an id: of several calls at the same time one
   * starts it, and all give it. The runs before it stay, see {@link Client#runs}. The input may be
   * another one.
   */
  public StartOptions reuseId(IdReuse reuse) {
    var checked = Objects.requireNonNull(reuse);
    return with(copy -> copy.reuse = checked);
  }

  /** The limit of the run, if one was given. */
  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }

  /** What the run can be found by. */
  public Map<String, Object> attributes() {
    return attributes;
  }

  /** The queue, if it is on one. */
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

  /** How much later it begins. */
  public Duration delay() {
    return delay == null ? Duration.ZERO : delay;
  }

  /** The key of which there is one at a time, if there is such a key. */
  public Optional<String> deduplication() {
    return Optional.ofNullable(deduplication);
  }

  /** How long no other start may come, if starts are debounced. */
  public Optional<Duration> quiet() {
    return Optional.ofNullable(quiet);
  }

  /** Whether the workflow id may be used again. */
  public IdReuse idReuse() {
    return reuse;
  }

  /** Whether it begins at once, wherever it is started. */
  public boolean isImmediate() {
    return queue == null && delay().isZero() && deduplication == null;
  }
}
