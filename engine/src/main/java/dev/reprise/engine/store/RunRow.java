package dev.reprise.engine.store;

import dev.reprise.Status;
import dev.reprise.engine.filter.Subject;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run as the database has it.
 *
 * @param key the run's number inside the engine
 * @param runId the run's id outside
 * @param workflowId the name its caller gave it
 * @param workflow the name of the definition
 * @param status where it is in its life
 * @param owner the node that has it in memory, or null
 * @param wakeAt when it is due, or null when only an input can wake it, or it is blocked or closed
 * @param startedAt when it was accepted; of one that has waited on a queue, when it began
 * @param closedAt when it ended, or null
 * @param blockedBy why it is blocked, or null
 * @param crashes how many of its owners died, one after the other, before it recorded anything more
 * @param parent the workflow id of its parent, or null
 * @param attributes what it can be found by, as a JSON object, or null if nothing
 */
public record RunRow(
    long key,
    UUID runId,
    String workflowId,
    String workflow,
    Status status,
    @Nullable UUID owner,
    @Nullable Instant wakeAt,
    Instant startedAt,
    @Nullable Instant closedAt,
    @Nullable String blockedBy,
    int crashes,
    @Nullable String parent,
    @Nullable String attributes) {

  /** A run without a parent and attributes. */
  public RunRow(
      long key,
      UUID runId,
      String workflowId,
      String workflow,
      Status status,
      @Nullable UUID owner,
      @Nullable Instant wakeAt,
      Instant startedAt,
      @Nullable Instant closedAt,
      @Nullable String blockedBy,
      int crashes) {
    this(
        key,
        runId,
        workflowId,
        workflow,
        status,
        owner,
        wakeAt,
        startedAt,
        closedAt,
        blockedBy,
        crashes,
        null,
        null);
  }

  /** As a filter sees it. */
  public Subject subject(Supplier<byte @Nullable []> input, Supplier<Subject.OpenWork> openWork) {
    return new Subject(
        workflowId,
        runId,
        workflow,
        status,
        startedAt,
        closedAt,
        parent,
        blockedBy,
        attributes,
        wakeAt,
        input,
        openWork);
  }

  /** The same with that many crashes. */
  public RunRow withCrashes(int crashes) {
    return new RunRow(
        key,
        runId,
        workflowId,
        workflow,
        status,
        owner,
        wakeAt,
        startedAt,
        closedAt,
        blockedBy,
        crashes,
        parent,
        attributes);
  }

  /** The same with that time of its start. */
  public RunRow withStart(Instant startedAt) {
    return new RunRow(
        key,
        runId,
        workflowId,
        workflow,
        status,
        owner,
        wakeAt,
        startedAt,
        closedAt,
        blockedBy,
        crashes,
        parent,
        attributes);
  }

  /** The same with these attributes. */
  public RunRow withAttributes(String attributes) {
    return new RunRow(
        key,
        runId,
        workflowId,
        workflow,
        status,
        owner,
        wakeAt,
        startedAt,
        closedAt,
        blockedBy,
        crashes,
        parent,
        attributes);
  }
}
