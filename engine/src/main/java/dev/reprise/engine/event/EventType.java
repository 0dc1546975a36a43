package dev.reprise.engine.event;

import java.util.Arrays;
import java.util.Optional;

/**
 * The number that stands for an event type in the database. A number is never changed and never
 * used again: histories outlive releases.
 */
public enum EventType {
  WORKFLOW_STARTED(1, "WorkflowStarted"),
  ACTIVITY_COMPLETED(2, "ActivityCompleted"),
  ACTIVITY_FAILED(3, "ActivityFailed"),
  ACTIVITY_RETRY_SCHEDULED(4, "ActivityRetryScheduled"),
  TIMER_SCHEDULED(5, "TimerScheduled"),
  TIMER_FIRED(6, "TimerFired"),
  TIMER_CANCELLED(7, "TimerCancelled"),
  SIGNAL_RECEIVED(8, "SignalReceived"),
  WAIT_TIMED_OUT(9, "WaitTimedOut"),
  PATCH_MARKED(10, "PatchMarked"),
  WORKFLOW_COMPLETED(11, "WorkflowCompleted"),
  WORKFLOW_FAILED(12, "WorkflowFailed"),
  WORKFLOW_CANCEL_REQUESTED(13, "WorkflowCancelRequested"),
  WORKFLOW_CANCELLED(14, "WorkflowCancelled"),
  ACTIVITY_CANCELLED(15, "ActivityCancelled"),
  COMPENSATION_REGISTERED(16, "CompensationRegistered"),
  COMPENSATIONS_STARTED(17, "CompensationsStarted"),
  COMPENSATION_COMPLETED(18, "CompensationCompleted"),
  COMPENSATION_FAILED(19, "CompensationFailed"),
  CHILD_STARTED(20, "ChildStarted"),
  CHILD_COMPLETED(21, "ChildCompleted"),
  CHILD_FAILED(22, "ChildFailed"),
  MESSAGE_SENT(23, "MessageSent"),
  UPDATE_RECEIVED(24, "UpdateReceived"),
  UPDATE_COMPLETED(25, "UpdateCompleted"),
  UPDATE_FAILED(26, "UpdateFailed"),
  UPDATE_REFUSED(27, "UpdateRefused"),
  VALUE_PUBLISHED(28, "ValuePublished"),
  ATTRIBUTE_CHANGED(29, "AttributeChanged"),
  LOOP_SNAPSHOT(30, "LoopSnapshot"),
  TIME_LIMIT_REACHED(31, "TimeLimitReached"),
  WORKFLOW_RESUMED(32, "WorkflowResumed"),
  WORKFLOW_TIMED_OUT(33, "WorkflowTimedOut"),
  WORKFLOW_TERMINATED(34, "WorkflowTerminated"),
  WORKFLOW_CONTINUED_AS_NEW(35, "WorkflowContinuedAsNew"),
  ACTIVITY_SCHEDULED(36, "ActivityScheduled"),
  ACTIVITY_CANCEL_REQUESTED(37, "ActivityCancelRequested"),
  WORKFLOW_TAKEN_UP(38, "WorkflowTakenUp");

  private static final EventType[] BY_CODE = new EventType[values().length + 1];

  static {
    for (var type : values()) BY_CODE[type.code] = type;
  }

  private final int code;
  private final String label;

  EventType(int code, String label) {
    this.code = code;
    this.label = label;
  }

  public int code() {
    return code;
  }

  /** The name people see, the same as the event's record. */
  public String label() {
    return label;
  }

  public static EventType of(int code) {
    if (code < 1 || code >= BY_CODE.length) {
      throw new IllegalArgumentException("unknown event type " + code);
    }
    return BY_CODE[code];
  }

  /** The type with that label, if there is one. */
  public static Optional<EventType> labelled(String label) {
    return Arrays.stream(values()).filter(type -> type.label.equals(label)).findFirst();
  }

  public static EventType of(Event event) {
    return switch (event) {
      case Event.WorkflowStarted _ -> WORKFLOW_STARTED;
      case Event.ActivityCompleted _ -> ACTIVITY_COMPLETED;
      case Event.ActivityFailed _ -> ACTIVITY_FAILED;
      case Event.ActivityRetryScheduled _ -> ACTIVITY_RETRY_SCHEDULED;
      case Event.TimerScheduled _ -> TIMER_SCHEDULED;
      case Event.TimerFired _ -> TIMER_FIRED;
      case Event.TimerCancelled _ -> TIMER_CANCELLED;
      case Event.SignalReceived _ -> SIGNAL_RECEIVED;
      case Event.WaitTimedOut _ -> WAIT_TIMED_OUT;
      case Event.PatchMarked _ -> PATCH_MARKED;
      case Event.WorkflowCompleted _ -> WORKFLOW_COMPLETED;
      case Event.WorkflowFailed _ -> WORKFLOW_FAILED;
      case Event.WorkflowCancelRequested _ -> WORKFLOW_CANCEL_REQUESTED;
      case Event.WorkflowCancelled _ -> WORKFLOW_CANCELLED;
      case Event.ActivityCancelled _ -> ACTIVITY_CANCELLED;
      case Event.CompensationRegistered _ -> COMPENSATION_REGISTERED;
      case Event.CompensationsStarted _ -> COMPENSATIONS_STARTED;
      case Event.CompensationCompleted _ -> COMPENSATION_COMPLETED;
      case Event.CompensationFailed _ -> COMPENSATION_FAILED;
      case Event.ChildStarted _ -> CHILD_STARTED;
      case Event.ChildCompleted _ -> CHILD_COMPLETED;
      case Event.ChildFailed _ -> CHILD_FAILED;
      case Event.MessageSent _ -> MESSAGE_SENT;
      case Event.UpdateReceived _ -> UPDATE_RECEIVED;
      case Event.UpdateCompleted _ -> UPDATE_COMPLETED;
      case Event.UpdateFailed _ -> UPDATE_FAILED;
      case Event.UpdateRefused _ -> UPDATE_REFUSED;
      case Event.ValuePublished _ -> VALUE_PUBLISHED;
      case Event.AttributeChanged _ -> ATTRIBUTE_CHANGED;
      case Event.LoopSnapshot _ -> LOOP_SNAPSHOT;
      case Event.TimeLimitReached _ -> TIME_LIMIT_REACHED;
      case Event.WorkflowResumed _ -> WORKFLOW_RESUMED;
      case Event.WorkflowTakenUp _ -> WORKFLOW_TAKEN_UP;
      case Event.WorkflowTimedOut _ -> WORKFLOW_TIMED_OUT;
      case Event.WorkflowTerminated _ -> WORKFLOW_TERMINATED;
      case Event.WorkflowContinuedAsNew _ -> WORKFLOW_CONTINUED_AS_NEW;
      case Event.ActivityScheduled _ -> ACTIVITY_SCHEDULED;
      case Event.ActivityCancelRequested _ -> ACTIVITY_CANCEL_REQUESTED;
    };
  }
}
