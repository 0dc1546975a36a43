package dev.reprise.engine.gate;

import dev.reprise.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Runs of a workflow that leave their histories at the same line.
 *
 * @param line the line that recorded what is not followed, or null if no line did
 * @param hangs whether the code does not come back to its context there
 * @param workflowId one of the runs
 * @param runId the id of that run
 * @param status of that run
 * @param followed how many events that run has followed; -1 if it hangs, since nobody knows
 * @param reason what an engine would say about that run
 * @param runs how many there are
 * @param others the workflow ids of some more of them
 */
public record Departure(
    @Nullable String line,
    boolean hangs,
    String workflowId,
    UUID runId,
    Status status,
    int followed,
    String reason,
    long runs,
    List<String> others) {
  private static final int SHOWN_OTHERS = 20; // enough to see what they have in common

  public Departure {
    others = List.copyOf(others);
  }

  /** With one run more. */
  Departure and(String other) {
    var more = new ArrayList<>(others);
    if (more.size() < SHOWN_OTHERS) more.add(other);
    return new Departure(line, hangs, workflowId, runId, status, followed, reason, runs + 1, more);
  }
}
