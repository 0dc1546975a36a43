package dev.reprise.engine.store;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Somebody who serves a queue.
 *
 * @param worker its id
 * @param queue which one
 * @param host the machine and process it is in, for people
 * @param concurrency how many it runs at once
 * @param names of the activities and workflows that it has
 * @param seenAt when it was last heard of
 */
public record WorkerRow(
    UUID worker, String queue, String host, int concurrency, List<String> names, Instant seenAt) {
  public WorkerRow {
    names = List.copyOf(names);
  }
}
