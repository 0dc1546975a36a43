package dev.reprise;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a run.
 *
 * @param workflowId the name its caller gave it
 * @param runId this run of it
 * @param workflow the name of the definition
 * @param status where it is in its life
 * @param startedAt when it was accepted
 * @param closedAt when it ended, or null
 * @param blockedBy why it is blocked, or null
 * @param owner the node that has it in memory, or had it last if that is gone, or null
 * @param parent the workflow id of the workflow that started it as a child, or null
 * @param attributes what it can be found by
 * @param waitingFor what its branches wait for, with source lines; in lists empty
 */
public record RunDescription(
    String workflowId,
    UUID runId,
    String workflow,
    Status status,
    Instant startedAt,
    @Nullable Instant closedAt,
    @Nullable String blockedBy,
    @Nullable UUID owner,
    @Nullable String parent,
    Map<String, Object> attributes,
    List<Waiting> waitingFor) {

  public RunDescription {
    attributes = Map.copyOf(attributes);
    waitingFor = List.copyOf(waitingFor);
  }

  /** When it ended. */
  public Optional<Instant> closed() {
    return Optional.ofNullable(closedAt);
  }
}
