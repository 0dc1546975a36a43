package dev.reprise.testkit.contract;

import dev.reprise.engine.store.NewTask;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A task of which a test says only what matters to it. */
public record TaskSpec(NewTask task) {
  public static final String QUEUE = "gpu";
  public static final String NAME = "Images.render";
  static final Duration LEASE = Duration.ofSeconds(30);

  /** An activity of the event with that index, ready at noon. */
  public static TaskSpec activity(int index) {
    return of(index, NAME);
  }

  /** A run that waits on the queue. */
  public static TaskSpec run() {
    return of(0, "Checkout");
  }

  private static TaskSpec of(int index, String name) {
    return new TaskSpec(
        new NewTask(index, QUEUE, name, "", 0, Rows.NOON, LEASE, null, null, null, null, false));
  }

  public TaskSpec queue(String queue) {
    return placed(queue, task.name(), task.key(), task.priority());
  }

  public TaskSpec name(String name) {
    return placed(task.queue(), name, task.key(), task.priority());
  }

  public TaskSpec key(String key) {
    return placed(task.queue(), task.name(), key, task.priority());
  }

  public TaskSpec priority(int priority) {
    return placed(task.queue(), task.name(), task.key(), priority);
  }

  private TaskSpec placed(String queue, String name, String key, int priority) {
    return new TaskSpec(
        new NewTask(
            task.index(),
            queue,
            name,
            key,
            priority,
            task.visibleAt(),
            task.lease(),
            task.attemptLimit(),
            task.waitUntil(),
            task.until(),
            task.unique(),
            task.debounced()));
  }

  public TaskSpec visibleAt(Instant at) {
    return timed(at, task.attemptLimit(), task.waitUntil(), task.until());
  }

  public TaskSpec attemptLimit(Duration limit) {
    return timed(task.visibleAt(), limit, task.waitUntil(), task.until());
  }

  public TaskSpec waitUntil(Instant at) {
    return timed(task.visibleAt(), task.attemptLimit(), at, task.until());
  }

  public TaskSpec until(Instant at) {
    return timed(task.visibleAt(), task.attemptLimit(), task.waitUntil(), at);
  }

  private TaskSpec timed(
      Instant visibleAt,
      @Nullable Duration attemptLimit,
      @Nullable Instant waitUntil,
      @Nullable Instant until) {
    return new TaskSpec(
        new NewTask(
            task.index(),
            task.queue(),
            task.name(),
            task.key(),
            task.priority(),
            visibleAt,
            task.lease(),
            attemptLimit,
            waitUntil,
            until,
            task.unique(),
            task.debounced()));
  }

  /** The only run of its queue with that key until it closes. */
  public TaskSpec unique(String unique) {
    return unique(unique, false);
  }

  /** The only run of its queue with that key until it begins. */
  public TaskSpec debounced(String unique) {
    return unique(unique, true);
  }

  private TaskSpec unique(String unique, boolean debounced) {
    return new TaskSpec(
        new NewTask(
            task.index(),
            task.queue(),
            task.name(),
            task.key(),
            task.priority(),
            task.visibleAt(),
            task.lease(),
            task.attemptLimit(),
            task.waitUntil(),
            task.until(),
            unique,
            debounced));
  }
}
