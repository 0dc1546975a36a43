package dev.reprise.engine.event;

import dev.reprise.FailureInfo;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One fact in the life of a run. Facts are appended, never edited; the history is the truth.
 *
 * <p>An inline step leaves one event, written when it has ended; each failed attempt before that
 * leaves an {@link ActivityRetryScheduled}. Retry delays and time limits are not timers: no {@link
 * TimerScheduled} is written for them, so that they can never be mistaken for a sleep.
 */
public sealed interface Event {

  /** The first event of every run. */
  record WorkflowStarted(String workflow, String workflowId, UUID runId, Payload input)
      implements Event {}

  /** An activity returned. */
  record ActivityCompleted(Call call, int attempts, Payload result) implements Event {}

  /** An activity failed for good. */
  record ActivityFailed(Call call, int attempts, FailureInfo failure) implements Event {}

  /** An attempt failed, and the next one may begin when it is due. */
  record ActivityRetryScheduled(Call call, int attempt, FailureInfo failure, Instant due)
      implements Event {}

  /** The workflow sleeps until then. */
  record TimerScheduled(String id, Instant due) implements Event {}

  /** A sleep is over. */
  record TimerFired(String id) implements Event {}

  /** A sleep was given up with its branch. */
  record TimerCancelled(String id) implements Event {}

  /** A signal arrived; it waits in line until the workflow receives it. */
  record SignalReceived(String signal, Payload value, @Nullable String message) implements Event {}

  /** Somebody wants the run to end. */
  record WorkflowCancelRequested(String requester, String reason) implements Event {}

  /** A wait with a limit reached it. */
  record WaitTimedOut(String id, Instant due) implements Event {}

  /** The code reached a change that runs before it did not have. */
  record PatchMarked(String change) implements Event {}

  /** The workflow returned. */
  record WorkflowCompleted(Payload result) implements Event {}

  /** The workflow threw. */
  record WorkflowFailed(FailureInfo failure) implements Event {}

  /** The workflow ended because somebody wanted it to. */
  record WorkflowCancelled(String reason) implements Event {}

  /**
   * The activity call that an event belongs to, as far as replay compares it.
   *
   * @param id {@code name:counter}, or what the options said
   * @param name what was called
   * @param digest of the arguments; empty if there are none
   */
  record Call(String id, String name, String digest) {}

  /** Whether the run is closed by this event. */
  default boolean isTerminal() {
    return this instanceof WorkflowCompleted
        || this instanceof WorkflowFailed
        || this instanceof WorkflowCancelled;
  }

  /** The sender's own id of an input, if the event is an input that has one. */
  default @Nullable String message() {
    return this instanceof SignalReceived signal ? signal.message() : null;
  }

  /** The value the user gave or got, if the event has one. */
  default @Nullable Payload payload() {
    return switch (this) {
      case WorkflowStarted e -> e.input();
      case ActivityCompleted e -> e.result();
      case SignalReceived e -> e.value();
      case WorkflowCompleted e -> e.result();
      case ActivityFailed _,
          ActivityRetryScheduled _,
          TimerScheduled _,
          TimerFired _,
          TimerCancelled _,
          WaitTimedOut _,
          PatchMarked _,
          WorkflowCancelRequested _,
          WorkflowFailed _,
          WorkflowCancelled _ ->
          null;
    };
  }

  /** What the event is about: an activity or timer id, a signal name; empty if nothing. */
  default String subject() {
    return switch (this) {
      case WorkflowStarted e -> e.workflow();
      case ActivityCompleted e -> e.call().id();
      case ActivityFailed e -> e.call().id();
      case ActivityRetryScheduled e -> e.call().id();
      case TimerScheduled e -> e.id();
      case TimerFired e -> e.id();
      case TimerCancelled e -> e.id();
      case SignalReceived e -> e.signal();
      case WaitTimedOut e -> e.id();
      case PatchMarked e -> e.change();
      case WorkflowCancelRequested e -> e.requester();
      case WorkflowCompleted _, WorkflowFailed _, WorkflowCancelled _ -> "";
    };
  }
}
