package dev.reprise.engine.event;

import dev.reprise.FailureInfo;
import dev.reprise.Status;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowTerminated;
import dev.reprise.WorkflowTimedOut;
import org.jspecify.annotations.Nullable;

/** What a child tells its parent of its end. */
public final class ChildReport {
  private ChildReport() {}

  /** The parent's event of a child's last one; null if the child goes on with another run. */
  public static @Nullable Event of(String childId, Event terminal) {
    return switch (terminal) {
      case Event.WorkflowCompleted(var result) -> new Event.ChildCompleted(childId, result);
      case Event.WorkflowFailed(var failure) ->
          new Event.ChildFailed(childId, Status.FAILED, failure);
      case Event.WorkflowCancelled(var reason) ->
          ended(childId, Status.CANCELLED, WorkflowCancelled.class, reason);
      case Event.WorkflowTimedOut(var reason) ->
          ended(childId, Status.TIMED_OUT, WorkflowTimedOut.class, reason);
      case Event.WorkflowTerminated(_, var reason) ->
          ended(childId, Status.TERMINATED, WorkflowTerminated.class, reason);
      default -> null;
    };
  }

  private static Event ended(String childId, Status status, Class<?> type, String reason) {
    var failure = new FailureInfo(type.getName(), reason, null, null, null);
    return new Event.ChildFailed(childId, status, failure);
  }
}
