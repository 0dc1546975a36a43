package dev.reprise.engine.decide;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.RetryPolicy;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Payload;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What arrives at a run from outside of its code. */
public sealed interface Input {

  /** An attempt of an inline activity returned. */
  record StepReturned(Call call, Payload result) implements Input {}

  /** An attempt of an inline activity threw. */
  record StepThrew(Call call, FailureInfo failure, Retrying retrying) implements Input {}

  /** No further attempt is wanted: the branch that asked for the activity was given up. */
  record StepGivenUp(Call call) implements Input {}

  /** An attempt to undo something returned. */
  record UndoReturned(Call call) implements Input {}

  /** An attempt to undo something threw. */
  record UndoThrew(Call call, FailureInfo failure, Retrying retrying) implements Input {}

  /** The time of a sleep has come. */
  record TimerDue(String id) implements Input {}

  /** The time limit of a wait has come. */
  record WaitDue(String id, Instant due) implements Input {}

  /** Somebody sent a signal, perhaps with an id of his own. */
  record SignalSent(String signal, Payload value, @Nullable String message) implements Input {}

  /** Somebody wants the run to end. */
  record CancelSent(String requester, String reason) implements Input {}

  /** The time that the run may take is over. */
  record TimeLimit(Instant due) implements Input {}

  /** Somebody ends the run, perhaps after what it did was undone. */
  record TerminateSent(String requester, String reason, boolean undo) implements Input {}

  /** Something came of an activity on a queue: this event. */
  record TaskReported(String id, Event event) implements Input {}

  /** A child has ended. */
  record ChildEnded(String id, Event outcome) implements Input {}

  /** Somebody sent a request that the code has let through. */
  record UpdateSent(String update, String message, Payload value) implements Input {}

  /** Somebody sent a request that the code refuses. */
  record UpdateUnwanted(String update, String message, ErrorCode code, String reason)
      implements Input {}

  /**
   * What counts when an attempt has failed.
   *
   * @param policy the policy of the call
   * @param askedAt when the code asked for the activity
   * @param terminal whether this failure rules out another attempt
   * @param unwanted whether whoever asked for the activity was cancelled
   * @param after how long to wait, as the activity said; null to let the policy say
   * @param luck a random number from 0 to 1, for the jitter
   */
  record Retrying(
      RetryPolicy policy,
      Instant askedAt,
      boolean terminal,
      boolean unwanted,
      @Nullable Duration after,
      double luck) {}
}
