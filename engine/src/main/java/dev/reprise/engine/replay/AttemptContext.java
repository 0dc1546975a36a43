package dev.reprise.engine.replay;

import dev.reprise.ActivityContext;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.RunRow;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What one attempt of an activity knows about itself. Safe for use by many threads. */
final class AttemptContext implements ActivityContext {
  private final RunRow row;
  private final String activityId;
  private final int attempt;
  private final Machine machine;
  private final List<Runnable> actions = new ArrayList<>(0);
  private boolean cancelled;

  AttemptContext(RunRow row, String activityId, int attempt, Machine machine) {
    this.row = row;
    this.activityId = activityId;
    this.attempt = attempt;
    this.machine = machine;
  }

  @Override
  public String workflowId() {
    return row.workflowId();
  }

  @Override
  public UUID runId() {
    return row.runId();
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

  private synchronized boolean added(Runnable action) {
    return !cancelled && actions.add(action);
  }

  /** Nobody wants the result any more. What the user does then must not hold up the run. */
  void cancel() {
    for (var action : taken()) machine.fiber(activityId + " cancelled", action).start();
  }

  private synchronized List<Runnable> taken() {
    cancelled = true;
    var taken = List.copyOf(actions);
    actions.clear();
    return taken;
  }
}
