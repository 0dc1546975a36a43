package dev.reprise.engine.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Status;
import dev.reprise.engine.event.Event.Call;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RunStateTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Call CALL = new Call("charge:1", "charge", "");

  @Test
  void a_sleep_is_pending_until_it_fires_or_is_cancelled() {
    var asleep =
        fold(
            new Event.TimerScheduled("sleep:1", Events.DUE),
            new Event.TimerScheduled("sleep:2", Events.DUE));

    assertThat(asleep.timers().get("sleep:1")).isEqualTo(Events.DUE);
    assertThat(then(asleep, new Event.TimerFired("sleep:1")).timers().contains("sleep:1"))
        .isFalse();
    assertThat(then(asleep, new Event.TimerCancelled("sleep:2")).timers().contains("sleep:2"))
        .isFalse();
  }

  @Test
  void failed_attempts_are_counted_until_the_activity_ends() {
    var retrying = fold(new Event.ActivityRetryScheduled(CALL, 2, Events.FAILURE, Events.DUE));

    assertThat(retrying.failedAttempts("charge:1")).isEqualTo(2);
    assertThat(
            then(retrying, new Event.ActivityCompleted(CALL, 3, Payload.none()))
                .failedAttempts("charge:1"))
        .isZero();
    assertThat(
            then(retrying, new Event.ActivityFailed(CALL, 3, Events.FAILURE))
                .failedAttempts("charge:1"))
        .isZero();
  }

  @Test
  void a_retry_is_not_a_timer() {
    var retrying = fold(new Event.ActivityRetryScheduled(CALL, 1, Events.FAILURE, Events.DUE));

    assertThat(retrying.timers().isEmpty()).isTrue();
  }

  @Test
  void the_last_event_closes_it() {
    assertThat(fold(new Event.WorkflowCompleted(Payload.none())).status())
        .isEqualTo(Status.COMPLETED);
    assertThat(fold(new Event.WorkflowFailed(Events.FAILURE)).status()).isEqualTo(Status.FAILED);
  }

  @Test
  void the_time_is_that_of_the_last_event() {
    assertThat(fold(new Event.TimerFired("sleep:1")).now()).isEqualTo(NOW);
  }

  @Test
  void a_gap_in_a_history_is_not_accepted() {
    var late = new Recorded(2, NOW, null, new Event.TimerFired("sleep:1"));

    assertThatThrownBy(() -> RunState.empty().apply(late)).hasMessageContaining("#2 after #0");
  }

  private static RunState fold(Event... events) {
    var state = RunState.empty();
    for (var event : events) state = then(state, event);
    return state;
  }

  private static RunState then(RunState state, Event event) {
    return state.apply(new Recorded(state.size() + 1, NOW, null, event));
  }
}
