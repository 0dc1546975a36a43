package dev.reprise;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A new run that begins with a part of another run's history, as it was or edited. Immutable; made
 * by changing {@link #of}.
 */
public final class Fork {
  private final String workflowId;
  private final int eventIndex;
  private final @Nullable String as;
  private final @Nullable UUID runId;
  private final boolean otherInput;
  private final @Nullable Object input;
  private final Map<String, Object> results;

  private Fork(
      String workflowId,
      int eventIndex,
      @Nullable String as,
      @Nullable UUID runId,
      boolean otherInput,
      @Nullable Object input,
      Map<String, Object> results) {
    this.workflowId = workflowId;
    this.eventIndex = eventIndex;
    this.as = as;
    this.runId = runId;
    this.otherInput = otherInput;
    this.input = input;
    this.results = results;
  }

  /** A fork that keeps the events up to this one. */
  public static Fork of(String workflowId, int eventIndex) {
    return new Fork(workflowId, eventIndex, null, null, false, null, Map.of());
  }

  /** The workflow id of the new run; made from the old one by default. */
  public Fork as(String newWorkflowId) {
    return new Fork(workflowId, eventIndex, newWorkflowId, runId, otherInput, input, results);
  }

  /** Of this run of the workflow id; the latest by default. */
  public Fork ofRun(UUID runId) {
    return new Fork(workflowId, eventIndex, as, runId, otherInput, input, results);
  }

  /** Started with other input; the code must follow the kept events with it. */
  public Fork input(@Nullable Object input) {
    return new Fork(workflowId, eventIndex, as, runId, true, input, results);
  }

  /**
   * With another result of an activity that the kept events have, by its id in the history, such as
   * {@code Rates.of:1}.
   */
  public Fork result(String activityId, Object result) {
    var changed = new LinkedHashMap<>(results);
    changed.put(activityId, result);
    return new Fork(workflowId, eventIndex, as, runId, otherInput, input, changed);
  }

  /** The workflow whose history is used. */
  public String workflowId() {
    return workflowId;
  }

  /** The last event that is kept, from 1. */
  public int eventIndex() {
    return eventIndex;
  }

  /** The workflow id of the new run, if one was given. */
  public Optional<String> as() {
    return Optional.ofNullable(as);
  }

  /** The run whose history is used, if it is not the latest. */
  public Optional<UUID> runId() {
    return Optional.ofNullable(runId);
  }

  /** Whether it is started with other input. */
  public boolean hasOtherInput() {
    return otherInput;
  }

  /** The other input. */
  public @Nullable Object input() {
    return input;
  }

  /** Other results, by activity id. */
  public Map<String, Object> results() {
    return results;
  }
}
