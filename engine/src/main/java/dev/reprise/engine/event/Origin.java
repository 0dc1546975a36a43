package dev.reprise.engine.event;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a run comes from, and what was agreed when it was started.
 *
 * @param hash of the code that began it, or null
 * @param timeout how long it may take, or null
 * @param attributes what it can be found by from the start
 * @param parent whose child it is, or null
 * @param lineage the run that it goes on from, or null
 */
public record Origin(
    @Nullable String hash,
    @Nullable Duration timeout,
    Map<String, Object> attributes,
    @Nullable Parent parent,
    @Nullable Lineage lineage) {

  /** Nothing is known. */
  public static final Origin PLAIN = new Origin(null, null, Map.of(), null, null);

  public Origin {
    attributes = Map.copyOf(attributes);
  }

  /**
   * The run that waits for a child's end.
   *
   * @param childId what its history calls the child
   */
  public record Parent(String workflowId, UUID runId, String childId) {}

  /**
   * The run that another one goes on from.
   *
   * @param how why there are two
   * @param from the run before
   * @param seeds what random numbers are drawn from while the code follows the copied events
   * @param copied how many of the first events were copied from the run before
   * @param taken which inputs it had taken in, of those that have an id, the latest first
   * @param unreceived how many signals, right behind the first event, wait before the code begins
   */
  public record Lineage(
      How how, UUID from, List<Seed> seeds, int copied, List<MessageKey> taken, int unreceived) {

    /** Of a run for which nothing waits. */
    public Lineage(How how, UUID from, List<Seed> seeds, int copied, List<MessageKey> taken) {
      this(how, from, seeds, copied, taken, 0);
    }

    public Lineage {
      seeds = List.copyOf(seeds);
      taken = List.copyOf(taken);
    }
  }

  /**
   * What random numbers are drawn from until the history has more events than that.
   *
   * @param runId the run whose numbers they are
   */
  public record Seed(UUID runId, int upTo) {}

  /** Why a run goes on from another. */
  public enum How {
    /** The workflow asked for it. */
    CONTINUED,
    /** A loop became too long. */
    LOOPED,
    /** Somebody forked it. */
    FORKED
  }

  /** Whether an earlier run of the same workflow goes on with it. */
  public boolean goesOn() {
    return lineage != null && lineage.how() != How.FORKED;
  }

  /** The same with other code. */
  public Origin withHash(@Nullable String other) {
    return new Origin(other, timeout, attributes, parent, lineage);
  }

  /** The same, going on from another run. */
  public Origin withLineage(Lineage other) {
    return new Origin(hash, timeout, attributes, parent, other);
  }

  /** The same with other attributes. */
  public Origin withAttributes(Map<String, Object> other) {
    return new Origin(hash, timeout, other, parent, lineage);
  }
}
