package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.Workflow;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.RunRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Code along histories that were written by hand. */
class RehearsalTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final UUID RUN = new UUID(7, 7);
  private static final Event STARTED = new Event.WorkflowStarted("Flow", "w", RUN, Payload.none());
  private static final Event DONE_A =
      new Event.ActivityCompleted(new Event.Call("a:1", "a", ""), 1, Payload.none());

  private static Rehearsal rehearsal(Workflow<String, String> code, Event... events) {
    var row = new RunRow(0, RUN, "w", "Flow", Status.RUNNING, null, null, START, null, null, 0);
    var settings =
        new RunSettings(
            new Values(new JsonCodec()), ActivityRegistry.ofStandIns(), RetryPolicy.defaults());
    return new Rehearsal(
        row,
        rows(events),
        WorkflowDefinition.of("Flow", String.class, String.class, code),
        settings);
  }

  private static Verdict verdict(Workflow<String, String> code, Event... events) throws Exception {
    return rehearsal(code, events).begin().get(10, TimeUnit.SECONDS);
  }

  private static Event completed(String json) {
    return new Event.WorkflowCompleted(payload(json));
  }

  private static Event failed(String message, String stack) {
    return new Event.WorkflowFailed(
        new FailureInfo(TerminalFailure.class.getName(), message, null, stack, null));
  }

  @Test
  void code_that_comes_to_the_recorded_end_follows_and_waits_for_nothing() throws Exception {
    var verdict =
        verdict(
            (ctx, _) -> {
              ctx.run("a", () -> {});
              return "end";
            },
            STARTED,
            DONE_A,
            completed("\"end\""));

    assertThat(verdict).isEqualTo(new Verdict.Follows(List.of()));
  }

  @Test
  void an_activity_after_the_end_of_the_history_is_named_and_not_called() throws Exception {
    var called = new CountDownLatch(1);

    var verdict =
        verdict(
            (ctx, _) -> {
              ctx.run("a", called::countDown);
              ctx.run("b", called::countDown);
              return "end";
            },
            STARTED,
            DONE_A);

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Follows.class,
            follows -> assertThat(follows.waitingFor()).containsExactly("activity b (b:1)"));
    assertThat(called.getCount()).isEqualTo(1);
  }

  @Test
  void time_stands_still_at_the_last_event() throws Exception {
    var verdict =
        verdict(
            (ctx, _) -> {
              ctx.sleep(Duration.ofNanos(1));
              return "end";
            },
            STARTED);

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Follows.class,
            follows ->
                assertThat(follows.waitingFor())
                    .singleElement()
                    .asString()
                    .startsWith("a sleep (sleep:1), due 2030-01-01T00:00:00.000001Z"));
  }

  @Test
  void code_that_departs_is_told_with_how_far_it_came_and_both_lines() throws Exception {
    var verdict =
        verdict(
            (ctx, _) -> {
              ctx.run("a", () -> {});
              ctx.run("c", () -> {});
              return "end";
            },
            STARTED,
            DONE_A,
            new Event.TimerScheduled("sleep:1", START));

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Departs.class,
            departs -> {
              assertThat(departs.followed()).isEqualTo(2);
              assertThat(departs.reason())
                  .startsWith("R101")
                  .contains("TimerScheduled sleep:1", "at Flow.java:7", "activity c (c:1)");
              assertThat(departs.mistake()).hasMessage(departs.reason());
            });
  }

  @Test
  void the_event_that_nobody_waits_for_is_not_counted_as_followed() throws Exception {
    var verdict =
        verdict(
            (ctx, _) -> {
              ctx.run("b", () -> {});
              return "end";
            },
            STARTED,
            DONE_A);

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Departs.class, departs -> assertThat(departs.followed()).isEqualTo(1));
  }

  @Test
  void a_failure_is_the_same_wherever_it_was_thrown() throws Exception {
    Workflow<String, String> code =
        (_, _) -> {
          throw new TerminalFailure("sold out");
        };

    assertThat(verdict(code, STARTED, failed("sold out", "Flow.run(Flow.java:1)")))
        .isInstanceOf(Verdict.Follows.class);
    assertThat(verdict(code, STARTED, failed("sold off", "Flow.run(Flow.java:1)")))
        .isInstanceOfSatisfying(
            Verdict.Departs.class,
            departs -> assertThat(departs.reason()).contains("sold off", "sold out"));
  }

  @Test
  void results_that_differ_are_shown_shortened() throws Exception {
    var verdict = verdict((_, _) -> "x".repeat(1_000), STARTED, completed("\"y\""));

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Departs.class,
            departs ->
                assertThat(departs.reason())
                    .contains("the results are not the same: \"y\", now \"xxx")
                    .contains("x…")
                    .hasSizeLessThan(1_000));
  }

  @Test
  void inputs_that_come_last_are_not_played_if_somebody_is_about_to_end_the_run() {
    var note = new Event.SignalReceived("note", payload("1"), "m1");
    var history = rows(STARTED, note, DONE_A, note, note);

    assertThat(Rehearsal.played(history, List.of(waiting(Kind.SIGNAL)))).hasSize(5);
    assertThat(Rehearsal.played(history, List.of(waiting(Kind.TERMINATE)))).hasSize(3);
    assertThat(Rehearsal.played(history, List.of(waiting(Kind.TERMINATE_AND_UNDO)))).hasSize(3);
  }

  /** It was held between the first inputs and the end, by damage or in quarantine. */
  @Test
  void inputs_from_before_a_run_was_resumed_on_its_way_to_the_end_are_not_played() {
    var note = new Event.SignalReceived("note", payload("1"), "m1");
    var resumed = new Event.WorkflowResumed("operator", null);
    var end = new Event.WorkflowTerminated("operator", "enough");

    assertThat(Rehearsal.played(rows(STARTED, DONE_A, note, resumed, note, end))).hasSize(2);
    assertThat(
            Rehearsal.played(
                rows(STARTED, DONE_A, note, resumed), List.of(waiting(Kind.TERMINATE))))
        .hasSize(2);
    assertThat(Rehearsal.played(rows(STARTED, DONE_A, note, resumed))).hasSize(4);
  }

  private static List<EventRow> rows(Event... events) {
    var rows = new ArrayList<EventRow>();
    for (var event : events) {
      rows.add(EventRow.of(new Recorded(rows.size() + 1, START, "Flow.java:7", event)));
    }
    return rows;
  }

  private static InputRow waiting(Kind kind) {
    return new InputRow(1, 1, kind, "somebody", "m2", new byte[0], START);
  }

  private static Payload payload(String json) {
    return Payload.of(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void code_that_hangs_is_shown_where_it_is_and_interrupted() throws Exception {
    var never = new CountDownLatch(1);
    var interrupted = new CountDownLatch(1);

    var verdict =
        rehearsal(
                (_, _) -> {
                  try {
                    never.await();
                  } finally {
                    interrupted.countDown();
                  }
                  return "end";
                },
                STARTED)
            .play(Duration.ofMillis(50));

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Hangs.class,
            hangs -> {
              assertThat(hangs.reason()).startsWith("R110").contains("'w'", "PT0.05S");
              assertThat(hangs.where().getStackTrace())
                  .anyMatch(frame -> frame.getClassName().contains("RehearsalTest"));
            });
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_query_of_code_that_does_not_come_back_is_not_answered_in_time() {
    var hanging =
        rehearsal(
            (_, _) -> {
              new CountDownLatch(1).await();
              return "end";
            },
            STARTED);

    assertThatThrownBy(() -> hanging.query("where", Payload.none(), Duration.ofMillis(50)))
        .isInstanceOfSatisfying(
            RepriseException.class, late -> assertThat(late.code()).isEqualTo(ErrorCode.R123))
        .hasMessageContaining("R110 workflow code of 'w'");
  }
}
