package dev.reprise;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a queue.
 *
 * @param queue its name
 * @param ready how many wait for a worker
 * @param delayed how many wait for their time: a retry, a delayed start
 * @param running how many workers are at
 * @param external how many wait to be completed from outside
 * @param oldest since when the one waits that has waited longest for a worker; or null
 * @param limits what is allowed
 * @param workers who serves it; empty if nobody does
 */
public record QueueDescription(
    String queue,
    long ready,
    long delayed,
    long running,
    long external,
    @Nullable Instant oldest,
    QueueLimits limits,
    List<Worker> workers) {

  public QueueDescription {
    workers = List.copyOf(workers);
  }

  /** Whether a live worker serves it. */
  public boolean isServed() {
    return !workers.isEmpty();
  }

  /**
   * A worker of a queue.
   *
   * @param host the machine and process it is in
   * @param concurrency how many it runs at once
   * @param seenAt when it was last heard of
   */
  public record Worker(String host, int concurrency, Instant seenAt) {}
}
