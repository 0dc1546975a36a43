package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.RunRow;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MismatchTest {
  private static final Instant DUE = Instant.parse("2030-01-01T00:00:00Z");
  private static final RunRow RUN =
      new RunRow(1, new UUID(0, 7), "w-7", "Shop", Status.RUNNING, null, null, DUE, null, null, 0);

  static List<Arguments> events() {
    var call = new Call("pay:1", "pay", "");
    var failure = new FailureInfo("E", null, null, null, null);
    return List.of(
        Arguments.of(
            new Event.WorkflowStarted("Shop", "w-7", new UUID(0, 7), Payload.none()),
            "WorkflowStarted Shop"),
        Arguments.of(
            new Event.ActivityCompleted(call, 1, Payload.none()),
            "ActivityCompleted activity pay (pay:1)"),
        Arguments.of(
            new Event.ActivityFailed(call, 1, failure), "ActivityFailed activity pay (pay:1)"),
        Arguments.of(
            new Event.ActivityRetryScheduled(call, 1, failure, DUE),
            "ActivityRetryScheduled activity pay (pay:1)"),
        Arguments.of(
            new Event.TimerScheduled("sleep:1", DUE),
            "TimerScheduled sleep:1, due 2030-01-01T00:00:00Z"),
        Arguments.of(
            new Event.WaitTimedOut("await:1", DUE),
            "WaitTimedOut await:1, due 2030-01-01T00:00:00Z"),
        Arguments.of(new Event.TimerFired("sleep:1"), "TimerFired sleep:1"),
        Arguments.of(new Event.TimerCancelled("sleep:1"), "TimerCancelled sleep:1"),
        Arguments.of(new Event.SignalReceived("yes", Payload.none(), null), "SignalReceived yes"),
        Arguments.of(new Event.PatchMarked("new"), "PatchMarked new"),
        Arguments.of(
            new Event.WorkflowCancelRequested("ops", "late"), "WorkflowCancelRequested ops"),
        Arguments.of(new Event.WorkflowCompleted(Payload.none()), "WorkflowCompleted"),
        Arguments.of(new Event.WorkflowFailed(failure), "WorkflowFailed E"),
        Arguments.of(new Event.WorkflowCancelled("late"), "WorkflowCancelled"));
  }

  @ParameterizedTest
  @MethodSource("events")
  void the_recorded_side_is_told_with_its_place(Event event, String text) {
    var e = Mismatch.of(RUN, new Recorded(3, DUE, "Shop.java:9", event), "returns", null);

    assertThat(e.code()).isEqualTo(ErrorCode.R101);
    assertThat(e.getMessage())
        .contains("recorded as #3: " + text + " at Shop.java:9\n")
        .contains("the code now:  returns\n")
        .doesNotContain("difference");
  }

  @Test
  void a_side_without_a_place_has_none() {
    var e =
        Mismatch.of(RUN, new Recorded(3, DUE, null, new Event.TimerFired("s")), "returns", "times");

    assertThat(e.getMessage())
        .contains("workflow 'w-7' (Shop, run " + RUN.runId() + ")")
        .contains("recorded as #3: TimerFired s\n")
        .contains("\n  difference:     times\n")
        .contains("then resume 'w-7'.");
  }
}
