package dev.reprise.engine.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ErrorCode;
import dev.reprise.Status;
import dev.reprise.engine.event.Event.Call;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
    assertThat(fold(new Event.WorkflowCancelled("late")).status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void a_wish_to_end_is_known_and_closes_nothing() {
    var wanted = fold(new Event.WorkflowCancelRequested("ops/7", "too late"));

    assertThat(wanted.cancelled()).isEqualTo(new RunState.Cancellation("too late", false));
    assertThat(wanted.isClosed()).isFalse();
    assertThat(RunState.empty().cancelled()).isNull();
  }

  @Test
  void the_ids_of_inputs_are_known_with_their_places() {
    var state =
        fold(
            new Event.SignalReceived("a", Payload.none(), null),
            new Event.SignalReceived("a", Payload.none(), "m-1"));

    assertThat(state.messages().size()).isEqualTo(1);
    assertThat(state.latestMessages(2)).containsExactly(MessageKey.signal("a", "m-1"));
    assertThat(state.hasTakenSignal("a", "m-1")).isTrue();
    assertThat(state.hasTakenSignal("a", "m-2")).isFalse();
    assertThat(state.hasTakenSignal("a", null)).isFalse();
  }

  @Test
  void an_id_counts_among_signals_of_a_name_and_among_updates_of_a_name() {
    var state =
        fold(
            new Event.SignalReceived("a", Payload.none(), "m"),
            new Event.UpdateReceived("b", "m", Payload.none()),
            new Event.UpdateRefused("c", "m", ErrorCode.R126, "no"));

    assertThat(state.hasTakenSignal("a", "m")).isTrue();
    assertThat(state.hasTakenSignal("b", "m")).isFalse();
    assertThat(state.hasTakenUpdate("a", "m")).isFalse();
    assertThat(state.hasTakenUpdate("b", "m")).isTrue();
    assertThat(state.hasTakenUpdate("c", "m")).isTrue();
    assertThat(state.latestMessages(2))
        .containsExactly(MessageKey.update("c", "m"), MessageKey.update("b", "m"));
  }

  @Test
  void updates_of_several_names_share_an_id_and_others_do_not() {
    var one =
        fold(
            new Event.SignalReceived("a", Payload.none(), "m"),
            new Event.UpdateReceived("b", "m", Payload.none()),
            new Event.UpdateReceived("a", "m2", Payload.none()));
    var two = then(one, new Event.UpdateReceived("a", "m", Payload.none()));

    assertThat(one.sharesId("b", "m")).isFalse();
    assertThat(two.sharesId("a", "m")).isTrue();
    assertThat(two.sharesId("b", "m")).isTrue();
    assertThat(two.sharesId("a", "m2")).isFalse();
  }

  /** Whatever else an event changes, nothing that came before it is forgotten. */
  @ParameterizedTest
  @MethodSource("events")
  void every_event_leaves_what_it_does_not_concern(Event event) {
    var before =
        fold(
            new Event.TimerScheduled("other", Events.DUE),
            new Event.ActivityRetryScheduled(CALL, 1, Events.FAILURE, Events.DUE),
            new Event.SignalReceived("a", Payload.none(), "m-0"),
            new Event.WorkflowCancelRequested("ops/7", "before"));

    var after = then(before, event);

    assertThat(after.size()).isEqualTo(5);
    assertThat(after.timers().get("other")).isEqualTo(Events.DUE);
    assertThat(after.failedAttempts("charge:1")).isEqualTo(1);
    assertThat(after.hasTakenSignal("a", "m-0")).isTrue();
    assertThat(after.cancelled()).isNotNull();
    assertThat(after.isClosed()).isEqualTo(event.isTerminal());
  }

  static List<Event> events() {
    return Events.all();
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
