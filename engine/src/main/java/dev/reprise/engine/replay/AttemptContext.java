package dev.reprise.engine.replay;

import dev.reprise.ActivityContext;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.machine.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What one attempt of an activity knows about itself. Safe for use by many threads. */
public class AttemptContext implements ActivityContext {
  private final String workflowId;
  private final UUID runId;
  private final String activityId;
  private final int attempt;
  private final Machine machine;
  private volatile long began; // 0 before it has
  private volatile long heard; // since when it has sent no heartbeat
  private final List<Runnable> actions = new ArrayList<>(0);
  private boolean cancelled;

  public AttemptContext(
      String workflowId, UUID runId, String activityId, int attempt, Machine machine) {
    this.workflowId = workflowId;
    this.runId = runId;
    this.activityId = activityId;
    this.attempt = attempt;
    this.machine = machine;
  }

  /** The function is about to be called. */
  public void begins() {
    long now = machine.nanoTime() | 1;
    heard = now;
    began = now;
  }

  /** Whether the function was called. */
  public boolean hasBegun() {
    return began != 0;
  }

  /** How long it has run. */
  public long nanos() {
    return machine.nanoTime() - began;
  }

  /** How long nothing was heard of it. */
  public long quietNanos() {
    return machine.nanoTime() - heard;
  }

  /** It has shown that it gets on. */
  protected void isHeard() {
    heard = machine.nanoTime();
  }

  @Override
  public String workflowId() {
    return workflowId;
  }

  @Override
  public UUID runId() {
    return runId;
  }

  @Override
  public String activityId() {
    return activityId;
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public synchronized boolean cancelled() {
    return cancelled;
  }

  @Override
  public void onCancel(Runnable action) {
    if (!added(action)) action.run();
  }

  /** Inline there is no lease, and nobody else who could go on from the details. */
  @Override
  public boolean heartbeat(@Nullable Object details) {
    isHeard();
    return cancelled();
  }

  @Override
  public <T> Optional<T> lastHeartbeat(Class<T> type) {
    return Optional.empty();
  }

  @Override
  public String completeLater() {
    throw new RepriseException(
        ErrorCode.R137,
        "activity %s of workflow '%s' runs inline, and only one on a queue can be completed from"
                .formatted(activityId, workflowId)
            + " outside: call it with ActivityOptions.onQueue(…)");
  }

  private synchronized boolean added(Runnable action) {
    return !cancelled && actions.add(action);
  }

  /** Nobody wants the result any more. What the user does then must not hold up the run. */
  public void cancel() {
    for (var action : taken()) machine.fiber(activityId + " cancelled", action).start();
  }

  private synchronized List<Runnable> taken() {
    cancelled = true;
    var taken = List.copyOf(actions);
    actions.clear();
    return taken;
  }
}
