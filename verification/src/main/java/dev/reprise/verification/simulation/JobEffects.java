package dev.reprise.verification.simulation;

import dev.reprise.ActivityContext;
import dev.reprise.verification.simulation.WatchedTask.State;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The world outside of activities on queues: whether an attempt may begin, and who ends others. */
final class JobEffects {
  /** Clocks of processes are that much behind at most, and a thread does not begin at once. */
  private static final Duration TOLERANCE = Duration.ofMillis(10);

  private final Database database;
  private final Auditor auditor;
  private final Trace trace;
  private @Nullable Outsiders outsiders;
  private boolean calm;

  JobEffects(Database database, Trace trace) {
    this.database = database;
    this.auditor = database.auditor();
    this.trace = trace;
  }

  /** Who completes what is left to others. */
  void outsiders(Outsiders others) {
    outsiders = others;
  }

  /** From now on no process is killed. */
  void calmDown() {
    calm = true;
  }

  boolean mayKill() {
    return !calm;
  }

  void killed(SimulatedProcess process) {
    trace.log("%s is killed by an activity", process);
    auditor.count("processes killed by an activity");
  }

  void entrust(String token, String result) {
    if (outsiders != null) outsiders.entrusted(token, result);
  }

  /** An attempt begins only while its lease holds. */
  void begun(SimulatedProcess process, ActivityContext context, Jobs.Job job) {
    trace.log(
        "%s works on %s of %s, attempt %d", process, job, context.workflowId(), context.attempt());
    auditor.count("attempts begun");
    var run =
        database.runsOf(context.workflowId()).stream()
            .filter(row -> row.runId().equals(context.runId()))
            .findFirst();
    var task = run.isEmpty() ? null : auditor.tasks().find(run.get().key(), context.activityId());
    if (task == null) {
      auditor.violation("%s works on %s, which is not stored".formatted(process, job));
      return;
    }
    boolean holds = task.state == State.LEASED && task.attempt == context.attempt();
    boolean justNow = database.now().isBefore(task.changedAt.plus(TOLERANCE));
    if (holds || justNow || auditor.hasClockJumped()) return;
    auditor.violation(
        "%s begins attempt %d of %s, which counts no more"
            .formatted(process, context.attempt(), task));
  }
}
