package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.KeptArguments;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.RunRow;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
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
    var e = Mismatch.of(RUN, new Recorded(3, DUE, "Shop.java:9", event), "returns", null, null);

    assertThat(e.code()).isEqualTo(ErrorCode.R101);
    assertThat(e.getMessage())
        .contains("recorded as #3: " + text + " at Shop.java:9\n")
        .contains("the code now:  returns\n")
        .doesNotContain("difference");
  }

  private static Call call(String name, String digest, String... arguments) {
    var encoded = Stream.of(arguments).map(text -> text.getBytes(StandardCharsets.UTF_8));
    var kept = KeptArguments.of(encoded.toArray(byte[][]::new), 100);
    return new Call("pay:1", name, digest, kept);
  }

  @Test
  void the_argument_that_differs_is_named() {
    assertThat(Mismatch.ofCalls(call("pay", "1", "7", "8"), call("pay", "2", "7", "9")))
        .isEqualTo("the arguments are not the same: argument 2: 8, now 9");
  }

  @Test
  void it_is_said_why_an_argument_is_not_known() {
    var same = "the arguments are not the same";

    assertThat(Mismatch.ofCalls(call("pay", "1"), call("pay", "2", "7", "9")))
        .isEqualTo(same + "; those in the history were not kept, now (7, 9)");
    assertThat(Mismatch.ofCalls(call("pay", "1", "7"), call("pay", "2")))
        .isEqualTo(same + "; which of them is not known, as none are kept");
    assertThat(Mismatch.ofCalls(call("pay", ""), call("pay", "2", "7")))
        .isEqualTo(same + ": there were none, now (7)");
    assertThat(Mismatch.ofCalls(call("pay", "1", "7"), call("pay", "")))
        .isEqualTo(same + ": there are none now");
    assertThat(Mismatch.ofCalls(call("pay", "1", "7"), call("pay", "2", "7"))).isEqualTo(same);
  }

  @Test
  void another_name_is_told_and_nothing_of_what_is_the_same() {
    assertThat(Mismatch.ofCalls(call("pay", "1", "7"), call("charge", "1", "7")))
        .isEqualTo("the names are not the same: pay, now charge");
    assertThat(Mismatch.ofCalls(call("pay", "1", "7"), call("pay", "1", "8"))).isNull();
  }

  @Test
  void arguments_that_are_recorded_at_once_are_told_apart_too() {
    var before =
        new Event.CompensationRegistered(call("undo", "1"), json("78"), List.of(1, 1), null, null);
    var after =
        new Event.CompensationRegistered(call("undo", "2"), json("79"), List.of(1, 1), null, null);

    assertThat(Mismatch.ofCommands(before, after))
        .isEqualTo("the arguments are not the same: argument 2: 8, now 9");
  }

  private static Payload json(String text) {
    return Payload.of(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_side_without_a_place_has_none() {
    var e =
        Mismatch.of(
            RUN, new Recorded(3, DUE, null, new Event.TimerFired("s")), "returns", "times", null);

    assertThat(e.getMessage())
        .contains("workflow 'w-7' (Shop, run " + RUN.runId() + ")")
        .contains("recorded as #3: TimerFired s\n")
        .contains("\n  difference:     times\n")
        .contains("then resume 'w-7'.");
  }
}
