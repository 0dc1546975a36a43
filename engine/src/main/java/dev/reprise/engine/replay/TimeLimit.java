package dev.reprise.engine.replay;

import dev.reprise.Status;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.store.RunRow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The time that a run may take. Belongs to whoever holds the baton. */
final class TimeLimit {
  private final RunRow row;
  private final WorkflowDefinition definition;
  private final Stage stage;
  private final Deadlines deadlines;
  private @Nullable Instant deadline;
  private RunPort.@Nullable Timer alarm;

  TimeLimit(RunRow row, WorkflowDefinition definition, Stage stage, Deadlines deadlines) {
    this.row = row;
    this.definition = definition;
    this.stage = stage;
    this.deadlines = deadlines;
  }

  /** Begins to watch it, once the code has caught up. Undoing may take as long as it takes. */
  void watch() {
    var state = stage.state();
    if (alarm != null || state.status() != Status.RUNNING || state.cancelled() != null) return;
    var given = state.life().origin().timeout();
    var limit = given != null ? given : definition.workflow().timeout().orElse(null);
    if (limit == null) return;
    deadline = Decider.after(row.startedAt(), limit);
    alarm = deadlines.watchRun(deadline);
  }

  /** That time, or its own if that is earlier and still counts. */
  @Nullable Instant orEarlier(@Nullable Instant due) {
    if (deadline == null || stage.state().cancelled() != null) return due;
    return due == null || deadline.isBefore(due) ? deadline : due;
  }

  void forget() {
    if (alarm != null) alarm.cancel();
  }
}
