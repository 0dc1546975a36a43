package dev.reprise.engine.filter;

import dev.reprise.Status;
import dev.reprise.engine.filter.Field.Column;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run as a filter sees it.
 *
 * @param attributes JSON, or null if there are none
 * @param wakeAt when it is due, or null
 * @param input what the codec wrote, asked for only if the filter looks at it
 * @param openWork what has begun and not ended, asked for only if the filter looks at it
 */
public record Subject(
    String workflowId,
    UUID runId,
    String workflow,
    Status status,
    Instant startedAt,
    @Nullable Instant closedAt,
    @Nullable String parent,
    @Nullable String blockedBy,
    @Nullable String attributes,
    @Nullable Instant wakeAt,
    Supplier<byte @Nullable []> input,
    Supplier<OpenWork> openWork) {

  /**
   * What a run has begun, by what is recorded, and not ended.
   *
   * @param timers whether it sleeps
   * @param children whether it has children
   * @param tasks whether it has activities on queues
   * @param retries whether it has activities between two attempts
   */
  public record OpenWork(boolean timers, boolean children, boolean tasks, boolean retries) {}

  @Nullable String text(Column column) {
    return switch (column) {
      case WORKFLOW_ID -> workflowId;
      case RUN_ID -> runId.toString();
      case WORKFLOW -> workflow;
      case PARENT -> parent;
      case BLOCKED_BY -> blockedBy;
      case STARTED_AT, CLOSED_AT -> throw new IllegalArgumentException(column + " is a time");
    };
  }

  @Nullable Instant time(Column column) {
    return switch (column) {
      case STARTED_AT -> startedAt;
      case CLOSED_AT -> closedAt;
      case WORKFLOW_ID, RUN_ID, WORKFLOW, PARENT, BLOCKED_BY ->
          throw new IllegalArgumentException(column + " is a text");
    };
  }
}
