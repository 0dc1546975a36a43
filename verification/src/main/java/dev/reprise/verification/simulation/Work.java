package dev.reprise.verification.simulation;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The activities in one process. */
final class Work {
  private final SimulatedProcess process;
  private final Effects effects;

  Work(SimulatedProcess process, Effects effects) {
    this.process = process;
    this.effects = effects;
  }

  /**
   * What an activity is told.
   *
   * @param before what the step before it returned, or nothing
   */
  record Task(String workflowId, String path, String before, int failures, int millis) {}

  /** The process is gone before anything comes of it. */
  void die(String workflowId) {
    effects.poisoned(process, workflowId);
    process.kill();
    LockSupport.park(this); // for ever
  }

  /** Returns something that no other attempt returns. */
  String work(Task task) {
    int attempt = effects.begin(process, task);
    if (task.millis() > 0) process.sleep(Duration.ofMillis(task.millis()));
    if (attempt <= task.failures()) throw new IllegalStateException("attempt " + attempt);
    return Effects.token(task, attempt);
  }
}
