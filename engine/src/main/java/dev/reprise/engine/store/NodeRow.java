package dev.reprise.engine.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A node as the database has it.
 *
 * @param node its id
 * @param host the machine and process it is on, for people
 * @param isClient whether it only starts and signals, and owns nothing
 * @param joinedAt when it came
 * @param lease how long it may be silent
 * @param leaseUntil until when it may be silent, by the clock of the database
 * @param isLeaseOver whether that was in the past when this was read
 * @param isPresent whether the database sees its process: a dead one disappears at once, a frozen
 *     one stays
 * @param isFenced whether it may not write any more
 * @param sequence of its last batch
 * @param hasLeft whether it went by itself, in good order
 * @param workflows names of those that it can run; null if it is of a release that did not say
 */
public record NodeRow(
    UUID node,
    String host,
    boolean isClient,
    Instant joinedAt,
    Duration lease,
    Instant leaseUntil,
    boolean isLeaseOver,
    boolean isPresent,
    boolean isFenced,
    long sequence,
    boolean hasLeft,
    @Nullable List<String> workflows) {

  public NodeRow {
    workflows = workflows == null ? null : List.copyOf(workflows);
  }

  /** One that is there, and of which it is not known what it can run. */
  public NodeRow(
      UUID node,
      String host,
      boolean isClient,
      Instant joinedAt,
      Duration lease,
      Instant leaseUntil,
      boolean isLeaseOver,
      boolean isPresent,
      boolean isFenced,
      long sequence) {
    this(
        node,
        host,
        isClient,
        joinedAt,
        lease,
        leaseUntil,
        isLeaseOver,
        isPresent,
        isFenced,
        sequence,
        false,
        null);
  }

  /** Whether it may run workflows: it is there, and nobody has fenced it. */
  public boolean isEngine() {
    return !isClient && !isFenced && isPresent;
  }
}
