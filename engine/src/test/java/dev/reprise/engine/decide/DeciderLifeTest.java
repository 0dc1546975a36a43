package dev.reprise.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.ParentClose;
import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What ends, undoes and asks a run. */
class DeciderLifeTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Call CALL = new Call("undo free:1", "free", "ab");
  private static final Payload VALUE = Payload.of(new byte[] {'1'});
  private static final FailureInfo FAILURE = new FailureInfo("E", "m", null, null, null);
  private static final Event UNDO =
      new Event.CompensationRegistered(CALL, VALUE, List.of(1), null, null);
  private static final Event UNDOING =
      new Event.CompensationsStarted(Status.FAILED, "", "", FAILURE);

  private static RunState after(Event... events) {
    var state =
        RunState.empty()
            .apply(
                new Recorded(
                    1, NOW, null, new Event.WorkflowStarted("W", "w", new UUID(0, 0), VALUE)));
    for (var event : events) {
      state = state.apply(new Recorded(state.size() + 1, NOW, null, event));
    }
    return state;
  }

  @Test
  void a_run_is_terminated_at_once_unless_something_is_to_be_undone_first() {
    var plain = new Input.TerminateSent("ops", "fire", false);
    var undo = new Input.TerminateSent("ops", "fire", true);
    var terminated = new Event.WorkflowTerminated("ops", "fire");

    assertThat(Decider.decide(after(), plain, NOW)).contains(terminated);
    assertThat(Decider.decide(after(), undo, NOW)).contains(terminated);
    assertThat(Decider.decide(after(UNDO), plain, NOW)).contains(terminated);
    assertThat(Decider.decide(after(UNDO), undo, NOW))
        .contains(new Event.CompensationsStarted(Status.TERMINATED, "ops", "fire", null));
    assertThat(Decider.decide(after(UNDO, UNDOING), undo, NOW)).isEmpty();
    assertThat(Decider.decide(after(UNDO, UNDOING), plain, NOW)).contains(terminated);
    assertThat(Decider.decide(after(terminated), plain, NOW)).isEmpty();
  }

  @Test
  void its_time_is_over_when_it_is_and_only_once() {
    var limit = new Input.TimeLimit(NOW);
    var reached = new Event.TimeLimitReached(NOW);

    assertThat(Decider.decide(after(), limit, NOW)).contains(reached);
    assertThat(Decider.decide(after(), limit, NOW.minusNanos(1))).isEmpty();
    assertThat(Decider.decide(after(reached), limit, NOW)).isEmpty();
    assertThat(Decider.decide(after(UNDO, UNDOING), limit, NOW)).isEmpty();
    var cancel = new Input.CancelSent("ops", "why");
    assertThat(Decider.decide(after(reached), cancel, NOW)).isEmpty();
    assertThat(Decider.decide(after(UNDO, UNDOING), cancel, NOW)).isEmpty();
  }

  @Test
  void undoing_is_tried_again_and_given_up_as_its_policy_says() {
    var twice =
        new Input.Retrying(RetryPolicy.fixed(Duration.ofHours(1), 2), NOW, false, false, null, 0.5);
    var threw = new Input.UndoThrew(CALL, FAILURE, twice);
    var again = new Event.ActivityRetryScheduled(CALL, 1, FAILURE, NOW.plus(Duration.ofHours(1)));

    assertThat(Decider.decide(after(UNDO, UNDOING), threw, NOW)).contains(again);
    assertThat(Decider.decide(after(UNDO, UNDOING, again), threw, NOW))
        .contains(new Event.CompensationFailed(CALL, 2, FAILURE));
    assertThat(Decider.decide(after(UNDO, UNDOING, again), new Input.UndoReturned(CALL), NOW))
        .contains(new Event.CompensationCompleted(CALL, 2));
  }

  @Test
  void the_end_of_a_child_enters_once() {
    var started = new Event.ChildStarted("c", "C", "w/c", ParentClose.CANCEL, null, VALUE);
    var ended = new Event.ChildCompleted("c", VALUE);
    var input = new Input.ChildEnded("c", ended);

    assertThat(Decider.decide(after(started), input, NOW)).contains(ended);
    assertThat(Decider.decide(after(started, ended), input, NOW)).isEmpty();
    assertThat(Decider.decide(after(), input, NOW)).isEmpty();
  }

  @Test
  void a_request_enters_once_whether_it_is_wanted_or_not() {
    var received = new Event.UpdateReceived("u", "m", VALUE);
    var refused = new Event.UpdateRefused("u", "m", ErrorCode.R126, "no");
    var sent = new Input.UpdateSent("u", "m", VALUE);
    var unwanted = new Input.UpdateUnwanted("u", "m", ErrorCode.R126, "no");

    assertThat(Decider.decide(after(), sent, NOW)).contains(received);
    assertThat(Decider.decide(after(), unwanted, NOW)).contains(refused);
    for (var before : new Event[] {received, refused}) {
      assertThat(Decider.decide(after(before), sent, NOW)).isEmpty();
      assertThat(Decider.decide(after(before), unwanted, NOW)).isEmpty();
    }
  }

  @Test
  void a_step_that_nobody_wants_any_more_is_cancelled_not_tried_again() {
    var unwanted =
        new Input.Retrying(RetryPolicy.fixed(Duration.ofHours(1), 5), NOW, false, true, null, 0.5);

    assertThat(Decider.decide(after(), new Input.StepThrew(CALL, FAILURE, unwanted), NOW))
        .contains(new Event.ActivityCancelled(CALL, 1));
    assertThat(Decider.decide(after(), new Input.StepGivenUp(CALL), NOW))
        .contains(new Event.ActivityCancelled(CALL, 0));
  }
}
