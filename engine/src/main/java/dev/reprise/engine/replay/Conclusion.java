package dev.reprise.engine.replay;

import dev.reprise.Status;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowTimedOut;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.event.Event.CompensationsStarted;
import dev.reprise.engine.event.RunState;
import java.util.Objects;

/** How a run ends whose code did not return. */
final class Conclusion {
  private Conclusion() {}

  /** What an exception that left the workflow's method means. */
  static Command of(Exception failure, RunState state) {
    var end = end(failure, state);
    return state.life().undo().isEmpty() ? end : undoing(end);
  }

  private static Command end(Exception failure, RunState state) {
    var wanted = state.cancelled();
    if (wanted != null && wanted.isTimeout() && failure instanceof WorkflowTimedOut) {
      return new Command.TimeOut(wanted.reason());
    }
    if (wanted != null && !wanted.isTimeout() && failure instanceof WorkflowCancelled) {
      return new Command.Cancel(wanted.reason());
    }
    return new Command.Fail(Failures.of(failure));
  }

  private static Command undoing(Command end) {
    return switch (end) {
      case Command.TimeOut(var reason) -> new Command.Undo(Status.TIMED_OUT, "", reason, null);
      case Command.Cancel(var reason) -> new Command.Undo(Status.CANCELLED, "", reason, null);
      case Command.Fail(var failure) -> new Command.Undo(Status.FAILED, "", "", failure);
      default -> throw new IllegalStateException("not an end without success: " + end);
    };
  }

  /** For people; the exception itself may not be able to tell. */
  static String describe(Command how) {
    return switch (how) {
      case Command.Fail(var failure) -> "fails with " + failure;
      case Command.Undo(_, _, _, var failure) when failure != null -> "fails with " + failure;
      default -> "ends as it was asked to";
    };
  }

  /** What was decided before everything was undone. */
  static Command after(CompensationsStarted undoing) {
    return switch (undoing.status()) {
      case TIMED_OUT -> new Command.TimeOut(undoing.reason());
      case CANCELLED -> new Command.Cancel(undoing.reason());
      case TERMINATED -> new Command.Terminate(undoing.requester(), undoing.reason());
      default -> new Command.Fail(Objects.requireNonNull(undoing.failure()));
    };
  }
}
