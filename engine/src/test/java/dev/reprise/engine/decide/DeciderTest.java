package dev.reprise.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.FailureInfo;
import dev.reprise.RetryPolicy;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DeciderTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Instant FOREVER = Instant.parse("9999-12-31T23:59:59Z");
  private static final Call CALL = new Call("charge:1", "charge", "ab");
  private static final Payload VALUE = Payload.of(new byte[] {'1'});
  private static final FailureInfo FAILURE = new FailureInfo("E", "m", null, null, null);

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

  private static RunState failed(int attempts) {
    return after(new Event.ActivityRetryScheduled(CALL, attempts, FAILURE, NOW));
  }

  // ---- commands ---------------------------------------------------------------------------------

  static List<Arguments> commands() {
    return List.of(
        Arguments.of(
            new Command.Sleep("sleep:1", Duration.ofHours(1)),
            new Event.TimerScheduled("sleep:1", NOW.plusSeconds(3_600))),
        Arguments.of(
            new Command.SleepUntil("sleep:1", NOW.plusSeconds(5)),
            new Event.TimerScheduled("sleep:1", NOW.plusSeconds(5))),
        Arguments.of(new Command.CancelTimer("sleep:1"), new Event.TimerCancelled("sleep:1")),
        Arguments.of(new Command.MarkPatch("change"), new Event.PatchMarked("change")),
        Arguments.of(new Command.Complete(VALUE), new Event.WorkflowCompleted(VALUE)),
        Arguments.of(new Command.Fail(FAILURE), new Event.WorkflowFailed(FAILURE)),
        Arguments.of(new Command.Cancel("late"), new Event.WorkflowCancelled("late")));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void a_command_is_recorded_as_its_event(Command command, Event event) {
    assertThat(Decider.decide(command, NOW)).isEqualTo(event);
  }

  // ---- inputs -----------------------------------------------------------------------------------

  private static Input.Retrying retrying(RetryPolicy policy, boolean terminal) {
    return new Input.Retrying(policy, NOW, terminal, false, null, 0.5);
  }

  static List<Arguments> inputs() {
    var threeTimes = retrying(RetryPolicy.fixed(Duration.ofSeconds(10), 3), false);
    var terminal = retrying(RetryPolicy.defaults(), true);
    var sleeping = after(new Event.TimerScheduled("sleep:1", NOW.plusSeconds(1)));
    var sleepOver = after(new Event.TimerScheduled("sleep:1", NOW));
    return List.of(
        row(
            "a step that returns",
            after(),
            new Input.StepReturned(CALL, VALUE),
            new Event.ActivityCompleted(CALL, 1, VALUE)),
        row(
            "a step that returns at last",
            failed(2),
            new Input.StepReturned(CALL, VALUE),
            new Event.ActivityCompleted(CALL, 3, VALUE)),
        row(
            "a first failure",
            after(),
            new Input.StepThrew(CALL, FAILURE, threeTimes),
            new Event.ActivityRetryScheduled(CALL, 1, FAILURE, NOW.plusSeconds(10))),
        row(
            "a second failure",
            failed(1),
            new Input.StepThrew(CALL, FAILURE, threeTimes),
            new Event.ActivityRetryScheduled(CALL, 2, FAILURE, NOW.plusSeconds(10))),
        row(
            "a last failure",
            failed(2),
            new Input.StepThrew(CALL, FAILURE, threeTimes),
            new Event.ActivityFailed(CALL, 3, FAILURE)),
        row(
            "a terminal failure",
            after(),
            new Input.StepThrew(CALL, FAILURE, terminal),
            new Event.ActivityFailed(CALL, 1, FAILURE)),
        row(
            "a step given up",
            failed(2),
            new Input.StepGivenUp(CALL),
            new Event.ActivityCancelled(CALL, 2)),
        row(
            "a failure that nobody waits for",
            failed(1),
            new Input.StepThrew(
                CALL,
                FAILURE,
                new Input.Retrying(RetryPolicy.defaults(), NOW, false, true, null, 0.5)),
            new Event.ActivityCancelled(CALL, 2)),
        row(
            "a sleep that is over",
            sleepOver,
            new Input.TimerDue("sleep:1"),
            new Event.TimerFired("sleep:1")),
        row("a sleep that is not over", sleeping, new Input.TimerDue("sleep:1"), null),
        row("a sleep that nobody sleeps", after(), new Input.TimerDue("sleep:1"), null),
        row("a retry that is taken for a sleep", failed(1), new Input.TimerDue("charge:1"), null),
        row(
            "a limit that is reached",
            after(),
            new Input.WaitDue("await:1", NOW),
            new Event.WaitTimedOut("await:1", NOW)),
        row(
            "a limit that is not reached",
            after(),
            new Input.WaitDue("await:1", NOW.plusNanos(1_000)),
            null),
        row(
            "a signal",
            after(),
            new Input.SignalSent("a", VALUE, "m-1"),
            new Event.SignalReceived("a", VALUE, "m-1")),
        row(
            "a signal that was sent twice",
            after(new Event.SignalReceived("a", VALUE, "m-1")),
            new Input.SignalSent("a", VALUE, "m-1"),
            null),
        row(
            "a signal without an id after one without",
            after(new Event.SignalReceived("a", VALUE, null)),
            new Input.SignalSent("a", VALUE, null),
            new Event.SignalReceived("a", VALUE, null)),
        row(
            "a cancel",
            after(),
            new Input.CancelSent("ops/7", "too late"),
            new Event.WorkflowCancelRequested("ops/7", "too late")),
        row(
            "a second cancel",
            after(new Event.WorkflowCancelRequested("ops/7", "too late")),
            new Input.CancelSent("ops/8", "much too late"),
            null));
  }

  private static Arguments row(String name, RunState state, Input input, Event event) {
    return Arguments.argumentSet(name, state, input, Optional.ofNullable(event));
  }

  @ParameterizedTest
  @MethodSource("inputs")
  void an_input_means_at_most_one_event(RunState state, Input input, Optional<Event> event) {
    assertThat(Decider.decide(state, input, NOW)).isEqualTo(event);
  }

  @ParameterizedTest
  @MethodSource("inputs")
  void no_input_means_anything_to_a_closed_run(RunState state, Input input, Optional<Event> event) {
    var end = new Recorded(state.size() + 1, NOW, null, new Event.WorkflowCompleted(VALUE));

    assertThat(Decider.decide(state.apply(end), input, NOW)).isEmpty();
  }

  // ---- retries in time --------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"10, true", "11, false"})
  void the_next_attempt_begins_within_the_longest_time_or_never(int delay, boolean again) {
    var policy =
        RetryPolicy.fixed(Duration.ofSeconds(delay), 0).maxDuration(Duration.ofSeconds(10));

    var event =
        Decider.decide(after(), new Input.StepThrew(CALL, FAILURE, retrying(policy, false)), NOW);

    assertThat(event.orElseThrow() instanceof Event.ActivityRetryScheduled).isEqualTo(again);
  }

  @Test
  void time_spent_before_counts_to_the_longest_time() {
    var policy = RetryPolicy.fixed(Duration.ofSeconds(5), 0).maxDuration(Duration.ofSeconds(10));
    var askedLongAgo = new Input.Retrying(policy, NOW.minusSeconds(6), false, false, null, 0);

    assertThat(Decider.decide(after(), new Input.StepThrew(CALL, FAILURE, askedLongAgo), NOW))
        .contains(new Event.ActivityFailed(CALL, 1, FAILURE));
  }

  // ---- times ------------------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({
    "PT0S, 2030-01-01T00:00:00Z",
    "PT0.000000001S, 2030-01-01T00:00:00.000001Z",
    "PT0.000000999S, 2030-01-01T00:00:00.000001Z",
    "PT0.000001S, 2030-01-01T00:00:00.000001Z",
    "PT0.000001001S, 2030-01-01T00:00:00.000002Z",
    "PT-1H, 2029-12-31T23:00:00Z",
    "P36500D, 2129-12-08T00:00:00Z"
  })
  void a_time_is_rounded_up_to_what_databases_keep(Duration duration, Instant due) {
    assertThat(Decider.after(NOW, duration)).isEqualTo(due);
  }

  @Test
  void no_time_is_later_than_databases_can_keep() {
    assertThat(Decider.after(NOW, Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)))
        .isEqualTo(FOREVER);
    assertThat(Decider.after(FOREVER, Duration.ofNanos(1))).isEqualTo(FOREVER);
    assertThat(Decider.roundedUp(Instant.MAX)).isEqualTo(FOREVER);
    assertThat(Decider.decide(new Command.SleepUntil("s", Instant.MAX), NOW))
        .isEqualTo(new Event.TimerScheduled("s", FOREVER));
  }

  @Test
  void a_time_is_never_early_and_less_than_a_microsecond_late() {
    var random = new Random(5);
    for (int i = 0; i < 10_000; i++) {
      var duration = Duration.ofNanos(random.nextLong(Duration.ofDays(30).toNanos()));
      var exact = NOW.plus(duration);

      var due = Decider.after(NOW, duration);

      assertThat(due).isBetween(exact, exact.plusNanos(999));
      assertThat(due.getNano() % 1_000).isZero();
    }
  }
}
