package dev.reprise.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.FailureInfo;
import dev.reprise.RetryPolicy;
import dev.reprise.engine.decide.Input.Retrying;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DeciderTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Call CALL = new Call("charge:1", "charge", "");
  private static final FailureInfo FAILURE =
      new FailureInfo("java.io.IOException", "away", null, null, null);

  @Test
  void a_sleep_is_due_when_its_time_is_over_and_never_a_nanosecond_before() {
    var event = Decider.decide(new Command.Sleep("sleep:1", Duration.ofNanos(1)), NOW);

    assertThat(event).isEqualTo(new Event.TimerScheduled("sleep:1", NOW.plusNanos(1_000)));
  }

  @Test
  void a_sleep_for_ever_is_due_at_a_date_that_databases_can_store() {
    var event =
        Decider.decide(new Command.Sleep("sleep:1", Duration.ofSeconds(Long.MAX_VALUE)), NOW);

    assertThat(((Event.TimerScheduled) event).due()).isBefore("+10000-01-01T00:00:00Z");
  }

  @Test
  void a_timer_fires_when_it_is_due_and_only_if_it_is_pending() {
    var due = NOW.plusSeconds(5);
    var state = after(new Event.TimerScheduled("sleep:1", due));
    var input = new Input.TimerDue("sleep:1");

    assertThat(Decider.decide(state, input, due.minusNanos(1_000))).isEmpty();
    assertThat(Decider.decide(state, input, due)).contains(new Event.TimerFired("sleep:1"));
    assertThat(Decider.decide(RunState.empty(), input, due)).isEmpty();
  }

  @Test
  void a_limit_counts_when_it_is_reached() {
    var due = NOW.plusSeconds(5);
    var input = new Input.WaitDue("receive go:1", due);

    assertThat(Decider.decide(RunState.empty(), input, due.minusNanos(1_000))).isEmpty();
    assertThat(Decider.decide(RunState.empty(), input, due))
        .contains(new Event.WaitTimedOut("receive go:1", due));
  }

  @Test
  void a_failed_attempt_is_followed_by_another_after_the_delay_of_the_policy() {
    assertThat(threw(RunState.empty(), RetryPolicy.defaults(), false))
        .isEqualTo(new Event.ActivityRetryScheduled(CALL, 1, FAILURE, NOW.plusSeconds(1)));
    assertThat(threw(afterFailures(3), RetryPolicy.defaults(), false))
        .isEqualTo(new Event.ActivityRetryScheduled(CALL, 4, FAILURE, NOW.plusSeconds(8)));
  }

  @Test
  void the_last_attempt_fails_the_activity() {
    assertThat(threw(afterFailures(4), RetryPolicy.defaults(), false))
        .isEqualTo(new Event.ActivityFailed(CALL, 5, FAILURE));
    assertThat(threw(RunState.empty(), RetryPolicy.none(), false))
        .isEqualTo(new Event.ActivityFailed(CALL, 1, FAILURE));
  }

  @Test
  void a_terminal_failure_fails_the_activity_at_once() {
    assertThat(threw(RunState.empty(), RetryPolicy.defaults(), true))
        .isEqualTo(new Event.ActivityFailed(CALL, 1, FAILURE));
  }

  @Test
  void no_attempt_begins_after_the_longest_duration() {
    var policy = RetryPolicy.fixed(Duration.ofSeconds(10), 0).maxDuration(Duration.ofSeconds(9));

    assertThat(threw(RunState.empty(), policy, false))
        .isEqualTo(new Event.ActivityFailed(CALL, 1, FAILURE));
  }

  @Test
  void the_number_of_attempts_is_recorded_with_the_result() {
    var returned = new Input.StepReturned(CALL, Payload.none());

    assertThat(Decider.decide(afterFailures(2), returned, NOW))
        .contains(new Event.ActivityCompleted(CALL, 3, Payload.none()));
  }

  @Test
  void a_step_that_is_given_up_fails_with_the_attempts_that_were_made() {
    assertThat(Decider.decide(afterFailures(2), new Input.StepGivenUp(CALL, FAILURE), NOW))
        .contains(new Event.ActivityFailed(CALL, 2, FAILURE));
  }

  @Test
  void a_closed_run_ignores_whatever_comes() {
    var closed = after(new Event.WorkflowCompleted(Payload.none()));

    assertThat(Decider.decide(closed, new Input.SignalSent("go", Payload.none()), NOW)).isEmpty();
    assertThat(Decider.decide(closed, new Input.StepReturned(CALL, Payload.none()), NOW)).isEmpty();
    assertThat(Decider.decide(closed, new Input.TimerDue("sleep:1"), NOW)).isEmpty();
  }

  private static Event threw(RunState state, RetryPolicy policy, boolean terminal) {
    var retrying = new Retrying(policy, NOW, terminal, 0.5);
    return Decider.decide(state, new Input.StepThrew(CALL, FAILURE, retrying), NOW).orElseThrow();
  }

  private static RunState afterFailures(int failures) {
    return after(new Event.ActivityRetryScheduled(CALL, failures, FAILURE, NOW));
  }

  private static RunState after(Event event) {
    return RunState.empty().apply(new Recorded(1, NOW, null, event));
  }
}
