package dev.reprise.engine.event;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.ParentClose;
import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
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
  record WorkflowStarted(
      String workflow, String workflowId, UUID runId, Payload input, Origin origin)
      implements Event {

    /** Of a run that nothing more is known about. */
    public WorkflowStarted(String workflow, String workflowId, UUID runId, Payload input) {
      this(workflow, workflowId, runId, input, Origin.PLAIN);
    }
  }

  /** An activity returned. */
  record ActivityCompleted(Call call, int attempts, Payload result) implements Event {}

  /** An activity failed for good. */
  record ActivityFailed(Call call, int attempts, FailureInfo failure) implements Event {}

  /** An attempt failed, and the next one may begin when it is due. */
  record ActivityRetryScheduled(Call call, int attempt, FailureInfo failure, Instant due)
      implements Event {}

  /** No further attempt is wanted: whoever asked for the activity was cancelled. */
  record ActivityCancelled(Call call, int attempts) implements Event {}

  /**
   * The workflow asked for an activity on a queue.
   *
   * @param lengths of each argument in the value
   * @param result the type that the workflow wants back, for who completes it from outside
   * @param secret what its token has that nobody can guess
   */
  record ActivityScheduled(
      Call call,
      Queueing queueing,
      Payload arguments,
      List<Integer> lengths,
      String result,
      long secret)
      implements Event {}

  /** An activity on a queue is not wanted any more; if a worker has it, it is told. */
  record ActivityCancelRequested(String id) implements Event {}

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

  /**
   * How to undo something, should it come to that.
   *
   * @param lengths of each argument in the value
   */
  record CompensationRegistered(
      Call call,
      Payload arguments,
      List<Integer> lengths,
      @Nullable RetryPolicy retry,
      @Nullable Duration timeout)
      implements Event {}

  /**
   * The code has ended without success, and what it did is undone from here on.
   *
   * @param status what the run ends as after that
   * @param requester who terminated it; else empty
   * @param reason why it was ended, if somebody wanted that; else empty
   * @param failure what it failed with, if it failed
   */
  record CompensationsStarted(
      Status status, String requester, String reason, @Nullable FailureInfo failure)
      implements Event {}

  /** Something was undone. */
  record CompensationCompleted(Call call, int attempts) implements Event {}

  /** Something could not be undone. */
  record CompensationFailed(Call call, int attempts, FailureInfo failure) implements Event {}

  /** The workflow asked for a child. */
  record ChildStarted(
      String id,
      String workflow,
      String workflowId,
      ParentClose onParentClose,
      @Nullable Duration timeout,
      Payload input)
      implements Event {}

  /** A child returned. */
  record ChildCompleted(String id, Payload result) implements Event {}

  /** A child ended otherwise, or could not be started. */
  record ChildFailed(String id, Status status, FailureInfo failure) implements Event {}

  /** The workflow sent something to another one. */
  record MessageSent(String id, String workflowId, Sent kind, String name, Payload value)
      implements Event {}

  /** A request came, and the handler begins. */
  record UpdateReceived(String update, String message, Payload value) implements Event {}

  /**
   * A request was answered.
   *
   * @param update its name if the run has taken in updates of several names with this message id;
   *     else null, as the message id is enough
   */
  record UpdateCompleted(String message, Payload result, @Nullable String update)
      implements Event {}

  /**
   * The handler of a request threw.
   *
   * @param update its name if the message id alone does not tell, else null
   */
  record UpdateFailed(String message, FailureInfo failure, @Nullable String update)
      implements Event {}

  /** A request was refused whose sender waits elsewhere. */
  record UpdateRefused(String update, String message, ErrorCode code, String reason)
      implements Event {}

  /** The workflow tells something to whoever asks. */
  record ValuePublished(String key, Payload value) implements Event {}

  /** The run can be found by this; null if no longer. */
  record AttributeChanged(String name, @Nullable Object value) implements Event {}

  /**
   * The run begins here, between two turns of a loop that an earlier run was in.
   *
   * @param carried how many events behind this one come from the earlier run too
   */
  record LoopSnapshot(String id, int carried, Payload state) implements Event {}

  /** The time that the run may take is over. */
  record TimeLimitReached(Instant due) implements Event {}

  /** Somebody let a held run go on; with this code if it is known. */
  record WorkflowResumed(String requester, @Nullable String hash) implements Event {}

  /**
   * An engine goes on with the run whose code has this hash, and the history did not say so yet.
   * Recorded with the first thing that the engine writes, at the time of the event before it: the
   * workflow's time does not move.
   */
  record WorkflowTakenUp(String hash) implements Event {}

  /** The workflow returned. */
  record WorkflowCompleted(Payload result) implements Event {}

  /** The workflow threw. */
  record WorkflowFailed(FailureInfo failure) implements Event {}

  /** The workflow ended because somebody wanted it to. */
  record WorkflowCancelled(String reason) implements Event {}

  /** The workflow ended because its time was over. */
  record WorkflowTimedOut(String reason) implements Event {}

  /** Somebody ended the workflow, without its code. */
  record WorkflowTerminated(String requester, String reason) implements Event {}

  /** The workflow goes on with another run. */
  record WorkflowContinuedAsNew(UUID next) implements Event {}

  /** What one workflow can send to another. */
  enum Sent {
    SIGNAL,
    CANCEL
  }

  /**
   * The activity call that an event belongs to. Two are equal if id, name and digest are: these are
   * what replay compares.
   *
   * @param id {@code name:counter}, or what the options said
   * @param name what was called
   * @param digest of the arguments; empty if there are none
   * @param arguments what the first event of an inline call keeps of them; null in later ones, and
   *     if nothing is kept
   */
  record Call(String id, String name, String digest, @Nullable KeptArguments arguments) {

    /** One of which no arguments are kept. */
    public Call(String id, String name, String digest) {
      this(id, name, digest, null);
    }

    /** The same for the events after the first. */
    public Call withoutArguments() {
      return new Call(id, name, digest);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Call call
          && id.equals(call.id)
          && name.equals(call.name)
          && digest.equals(call.digest);
    }

    @Override
    public int hashCode() {
      return Objects.hash(id, name, digest);
    }
  }

  /** Whether the run is closed by this event. */
  default boolean isTerminal() {
    return switch (this) {
      case WorkflowCompleted _,
          WorkflowFailed _,
          WorkflowCancelled _,
          WorkflowTimedOut _,
          WorkflowTerminated _,
          WorkflowContinuedAsNew _ ->
          true;
      default -> false;
    };
  }

  /** The sender's own id of an input, if the event is an input that has one. */
  default @Nullable String message() {
    return switch (this) {
      case SignalReceived e -> e.message();
      case UpdateReceived e -> e.message();
      case UpdateRefused e -> e.message();
      default -> null;
    };
  }

  /** The activity call that the event belongs to, if it has one as a component. */
  default @Nullable Call call() {
    return null;
  }

  /**
   * Whether it came from outside.
   *
   * @param queued whether the activity of that id is on a queue
   */
  default boolean isInput(Predicate<String> queued) {
    return switch (this) {
      case ActivityCompleted _, ActivityFailed _, ActivityCancelled _, ActivityRetryScheduled _ ->
          queued.test(subject());
      case SignalReceived _,
          WorkflowCancelRequested _,
          TimeLimitReached _,
          ChildCompleted _,
          ChildFailed _,
          UpdateRefused _ ->
          true;
      default -> false;
    };
  }

  /** Whether people alone want to know it: the code passes it when it follows the history. */
  default boolean isPassed() {
    return this instanceof WorkflowResumed || this instanceof WorkflowTakenUp;
  }

  /** The value the user gave or got, if the event has one. */
  default @Nullable Payload payload() {
    return switch (this) {
      case WorkflowStarted e -> e.input();
      case ActivityCompleted e -> e.result();
      case SignalReceived e -> e.value();
      case CompensationRegistered e -> e.arguments();
      case ActivityScheduled e -> e.arguments();
      case ChildStarted e -> e.input();
      case ChildCompleted e -> e.result();
      case MessageSent e -> e.value();
      case UpdateReceived e -> e.value();
      case UpdateCompleted e -> e.result();
      case ValuePublished e -> e.value();
      case LoopSnapshot e -> e.state();
      case WorkflowCompleted e -> e.result();
      default -> null;
    };
  }

  /** What the event is about: an activity or timer id, a signal name; empty if nothing. */
  default String subject() {
    return switch (this) {
      case WorkflowStarted e -> e.workflow();
      case ActivityCompleted e -> e.call().id();
      case ActivityFailed e -> e.call().id();
      case ActivityRetryScheduled e -> e.call().id();
      case ActivityCancelled e -> e.call().id();
      case ActivityScheduled e -> e.call().id();
      case ActivityCancelRequested e -> e.id();
      case TimerScheduled e -> e.id();
      case TimerFired e -> e.id();
      case TimerCancelled e -> e.id();
      case SignalReceived e -> e.signal();
      case WaitTimedOut e -> e.id();
      case PatchMarked e -> e.change();
      case WorkflowCancelRequested e -> e.requester();
      case CompensationRegistered e -> e.call().id();
      case CompensationCompleted e -> e.call().id();
      case CompensationFailed e -> e.call().id();
      case ChildStarted e -> e.id();
      case ChildCompleted e -> e.id();
      case ChildFailed e -> e.id();
      case MessageSent e -> e.id();
      case UpdateReceived e -> e.update();
      case UpdateRefused e -> e.update();
      case UpdateCompleted e -> e.message();
      case UpdateFailed e -> e.message();
      case ValuePublished e -> e.key();
      case AttributeChanged e -> e.name();
      case LoopSnapshot e -> e.id();
      case WorkflowResumed e -> e.requester();
      case WorkflowTakenUp e -> e.hash();
      case WorkflowTerminated e -> e.requester();
      case CompensationsStarted _,
          TimeLimitReached _,
          WorkflowCompleted _,
          WorkflowFailed _,
          WorkflowCancelled _,
          WorkflowTimedOut _,
          WorkflowContinuedAsNew _ ->
          "";
    };
  }
}
