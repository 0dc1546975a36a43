package dev.reprise.engine.decide;

import dev.reprise.FailureInfo;
import dev.reprise.ParentClose;
import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Event.Sent;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Queueing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What workflow code asks for next, of the kinds that are recorded the moment they are asked. */
public sealed interface Command {

  /** Sleep for so long, from when it is recorded. */
  record Sleep(String id, Duration duration) implements Command {}

  /** Sleep until then. */
  record SleepUntil(String id, Instant due) implements Command {}

  /** Give up a sleep with its branch. */
  record CancelTimer(String id) implements Command {}

  /** Go the new way at this change. */
  record MarkPatch(String change) implements Command {}

  /** End with a result. */
  record Complete(Payload result) implements Command {}

  /** End with a failure. */
  record Fail(FailureInfo failure) implements Command {}

  /** End because that is wanted. */
  record Cancel(String reason) implements Command {}

  /** End because its time is over. */
  record TimeOut(String reason) implements Command {}

  /** End because somebody ended it. */
  record Terminate(String requester, String reason) implements Command {}

  /** Go on with another run. */
  record ContinueAsNew(UUID next) implements Command {}

  /** Undo what was remembered, and end then. */
  record Undo(Status status, String requester, String reason, @Nullable FailureInfo failure)
      implements Command {}

  /** Remember how to undo something. */
  record Remember(
      Call call,
      Payload arguments,
      List<Integer> lengths,
      @Nullable RetryPolicy retry,
      @Nullable Duration timeout)
      implements Command {}

  /** Put an activity on a queue. */
  record Schedule(
      Call call,
      Queueing queueing,
      Payload arguments,
      List<Integer> lengths,
      String result,
      long secret)
      implements Command {}

  /** Give up an activity on a queue. */
  record CancelActivity(String id) implements Command {}

  /** Start a child. */
  record StartChild(
      String id,
      String workflow,
      String workflowId,
      ParentClose onParentClose,
      @Nullable Duration timeout,
      Payload input)
      implements Command {}

  /** Send something to another workflow. */
  record Send(String id, String workflowId, Sent kind, String name, Payload value)
      implements Command {}

  /** Tell something to whoever asks. */
  record Publish(String key, Payload value) implements Command {}

  /** Be found by this, or no longer. */
  record SetAttribute(String name, @Nullable Object value) implements Command {}

  /** Answer a request. */
  record AnswerUpdate(String message, Payload result, @Nullable String update) implements Command {}

  /** Answer a request with a failure. */
  record FailUpdate(String message, FailureInfo failure, @Nullable String update)
      implements Command {}
}
