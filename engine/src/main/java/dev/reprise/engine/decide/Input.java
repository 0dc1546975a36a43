package dev.reprise.engine.decide;

import dev.reprise.FailureInfo;
import dev.reprise.RetryPolicy;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Payload;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What arrives at a run from outside of its code. */
public sealed interface Input {

  /** An attempt of an inline activity returned. */
  record StepReturned(Call call, Payload result) implements Input {}

  /** An attempt of an inline activity threw. */
  record StepThrew(Call call, FailureInfo failure, Retrying retrying) implements Input {}

  /** No further attempt is wanted: the branch that asked for the activity was given up. */
  record StepGivenUp(Call call, FailureInfo failure) implements Input {}

  /** The time of a sleep has come. */
  record TimerDue(String id) implements Input {}

  /** The time limit of a wait has come. */
  record WaitDue(String id, Instant due) implements Input {}

  /** Somebody sent a signal, perhaps with an id of his own. */
  record SignalSent(String signal, Payload value, @Nullable String message) implements Input {}

  /** Somebody wants the run to end. */
  record CancelSent(String requester, String reason) implements Input {}

  /**
   * What counts when an attempt has failed.
   *
   * @param policy the policy of the call
   * @param askedAt when the code asked for the activity
   * @param terminal whether this failure or its circumstances rule out another attempt
   * @param luck a random number from 0 to 1, for the jitter
   */
  record Retrying(RetryPolicy policy, Instant askedAt, boolean terminal, double luck) {}
}
