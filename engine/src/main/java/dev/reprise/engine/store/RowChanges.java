package dev.reprise.engine.store;

import dev.reprise.Status;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.RunChange.Begin;
import dev.reprise.engine.store.Transition.RunChange.Block;
import dev.reprise.engine.store.Transition.RunChange.Close;
import dev.reprise.engine.store.Transition.RunChange.Compensate;
import dev.reprise.engine.store.Transition.RunChange.Continue;
import dev.reprise.engine.store.Transition.RunChange.None;
import dev.reprise.engine.store.Transition.RunChange.Release;
import dev.reprise.engine.store.Transition.RunChange.Unblock;
import dev.reprise.engine.store.Transition.RunChange.WakeAt;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a change makes of the row of a run, and who may ask for it. */
final class RowChanges {
  private RowChanges() {}

  /**
   * Its owner writes to a run, and nobody else; a held one goes on, or ends, and nothing more; so
   * does one that has not begun.
   */
  static boolean takes(RunRow row, RunChange change, UUID node) {
    boolean owned = row.status().isActive() && node.equals(row.owner());
    boolean held = row.status().isHeld();
    return switch (change) {
      case None _, WakeAt _, Release _, Block _, Continue _ -> owned;
      case Begin _ -> row.status() == Status.QUEUED;
      case Unblock _ -> held;
      case Compensate _ -> owned || held;
      case Close _ -> owned || held || row.status() == Status.QUEUED;
    };
  }

  static RunRow changed(RunRow row, RunChange change, UUID node) {
    var status = row.status();
    return switch (change) {
      case None _ -> row;
      case Begin(var at) -> with(row, Status.RUNNING, node, at, null, null).withStart(at);
      case WakeAt(var at) -> with(row, status, row.owner(), at, null, null);
      case Release(var at) -> with(row, status, null, at, null, null);
      case Block(var reason) -> with(row, held(status), null, null, null, reason);
      case Unblock(var at) -> with(row, active(status), null, at, null, null);
      case Compensate(var at) -> with(row, Status.COMPENSATING, row.owner(), at, null, null);
      case Close(var as, var at) -> with(row, as, null, null, at, null);
      case Continue(_, _, var at) -> with(row, Status.CONTINUED, null, null, at, null);
    };
  }

  private static Status held(Status active) {
    return active == Status.COMPENSATING ? Status.COMPENSATION_FAILED : Status.BLOCKED;
  }

  private static Status active(Status held) {
    return held == Status.COMPENSATION_FAILED ? Status.COMPENSATING : Status.RUNNING;
  }

  static RunRow with(
      RunRow row,
      Status status,
      @Nullable UUID owner,
      @Nullable Instant wakeAt,
      @Nullable Instant closedAt,
      @Nullable String blockedBy) {
    return new RunRow(
        row.key(),
        row.runId(),
        row.workflowId(),
        row.workflow(),
        status,
        owner,
        wakeAt,
        row.startedAt(),
        closedAt,
        blockedBy,
        owner == null ? 0 : row.crashes(),
        row.parent(),
        row.attributes());
  }
}
