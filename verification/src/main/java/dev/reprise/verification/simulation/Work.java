package dev.reprise.verification.simulation;

import dev.reprise.ActivityContext;
import dev.reprise.TerminalFailure;
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
   * What an activity is told. It does not say for whom it is, so that a fork may repeat it.
   *
   * @param before what the step before it returned, or nothing
   */
  record Task(String path, String before, int failures, int millis) {}

  /**
   * What is to be undone.
   *
   * @param failures how often that fails first
   * @param forGood whether it is not tried again then
   */
  record Undo(String path, int failures, boolean forGood) {}

  /** The process is gone before anything comes of it. */
  void die(String workflowId) {
    effects.poisoned(process, workflowId);
    process.kill();
    LockSupport.park(this); // for ever
  }

  /** Returns something that no other attempt returns. */
  String work(Task task) {
    var context = ActivityContext.current();
    int attempt = effects.begin(process, context, task);
    if (task.millis() > 0) process.sleep(Duration.ofMillis(task.millis()));
    if (attempt <= task.failures()) throw new IllegalStateException("attempt " + attempt);
    return Effects.token(context, task.path(), attempt);
  }

  /** Undoes something. */
  void undo(Undo undo) {
    int attempt = effects.undo(process, ActivityContext.current(), undo);
    process.sleep(Duration.ofMillis(15));
    if (attempt > undo.failures()) return;
    if (undo.forGood()) throw new TerminalFailure("attempt " + attempt);
    throw new IllegalStateException("attempt " + attempt);
  }
}
