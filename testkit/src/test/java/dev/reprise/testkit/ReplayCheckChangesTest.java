package dev.reprise.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.TerminalFailure;
import dev.reprise.Workflow;
import dev.reprise.engine.replay.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every change of what was recorded is found, with the lines of both sides. */
class ReplayCheckChangesTest {
  private static final Signal<String> GO = Signal.of("go", String.class);
  private static final Duration MOMENT = Duration.ofMillis(1);

  private static String closed;
  private static String open;

  @BeforeAll
  static void record() {
    closed = Tape.ofClosed((ctx, _) -> original(ctx));
    open = Tape.ofWaiting((ctx, _) -> original(ctx) + ctx.receive(GO), "signal", 6);
  }

  private static String original(Context ctx) {
    step(ctx, "reserve");
    charge(ctx, 42);
    ctx.sleep(MOMENT);
    step(ctx, "ship");
    return "done";
  }

  private static void step(Context ctx, String name) {
    ctx.run(name, () -> {});
  }

  private static void charge(Context ctx, int amount) {
    ctx.run(new Till()::charge, amount);
  }

  static final class Till {
    String charge(int amount) {
      return "receipt " + amount;
    }
  }

  private static Arguments change(String name, Workflow<String, String> code, String... texts) {
    return Arguments.of(Named.of(name, code), List.of(texts));
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        change(
            "an activity is added",
            (ctx, _) -> {
              step(ctx, "check");
              return original(ctx);
            },
            "recorded as #2: ActivityCompleted activity reserve (reserve:1)",
            "the code now:  activity check (check:1)"),
        change(
            "an activity is removed",
            (ctx, _) -> {
              charge(ctx, 42);
              ctx.sleep(MOMENT);
              step(ctx, "ship");
              return "done";
            },
            "recorded as #2",
            "activity Till.charge (Till.charge:1)"),
        change(
            "an activity is renamed",
            (ctx, _) -> {
              step(ctx, "reserve");
              charge(ctx, 42);
              ctx.sleep(MOMENT);
              step(ctx, "send");
              return "done";
            },
            "recorded as #6: ActivityCompleted activity ship (ship:1)",
            "activity send (send:1)"),
        change(
            "activities are in another order",
            (ctx, _) -> {
              charge(ctx, 42);
              step(ctx, "reserve");
              ctx.sleep(MOMENT);
              step(ctx, "ship");
              return "done";
            },
            "recorded as #2",
            "activity Till.charge (Till.charge:1)"),
        change(
            "arguments are others",
            (ctx, _) -> {
              step(ctx, "reserve");
              charge(ctx, 43);
              ctx.sleep(MOMENT);
              step(ctx, "ship");
              return "done";
            },
            "recorded as #3",
            "the arguments are not the same: argument 1: 42, now 43"),
        change(
            "a sleep is longer",
            (ctx, _) -> {
              step(ctx, "reserve");
              charge(ctx, 42);
              ctx.sleep(MOMENT.multipliedBy(2));
              step(ctx, "ship");
              return "done";
            },
            "recorded as #4: TimerScheduled sleep:1, due ",
            "sleeps for PT0.002S"),
        change(
            "it ends early",
            (ctx, _) -> {
              step(ctx, "reserve");
              return "done";
            },
            "recorded as #3",
            "returns"),
        change(
            "it fails",
            (ctx, _) -> {
              step(ctx, "reserve");
              throw new IllegalStateException("no");
            },
            "recorded as #3",
            "fails with java.lang.IllegalStateException: no"));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void a_change_is_found_in_a_closed_run(Workflow<String, String> code, List<String> texts) {
    assertFound(closed, code, texts);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void a_change_is_found_in_an_open_run(Workflow<String, String> code, List<String> texts) {
    assertFound(open, code, texts);
  }

  private static void assertFound(
      String history, Workflow<String, String> code, List<String> texts) {
    var error = catchThrowable(() -> check(code).replay(history));

    assertThat(error)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("R101 workflow 'order-7' (Order, run ")
        .hasMessageContaining("recorded as #")
        .hasMessageContaining(" at ReplayCheckChangesTest.java:");
    assertThat(error.getMessage()).contains(texts);
  }

  private static ReplayCheck check(Workflow<String, String> code) {
    return new ReplayCheck().workflow(Tape.WORKFLOW, String.class, String.class, code);
  }

  // ---- the end of closed runs

  @Test
  void another_result_is_found_and_both_are_shown() {
    assertThatThrownBy(
            () ->
                check(
                        (ctx, _) -> {
                          original(ctx);
                          return "Done";
                        })
                    .replay(closed))
        .hasMessageContaining("recorded as #7: WorkflowCompleted")
        .hasMessageContaining("the code now:  returns")
        .hasMessageContaining("the results are not the same: \"done\", now \"Done\"");
  }

  @Test
  void something_more_before_the_end_is_found() {
    assertThatThrownBy(
            () ->
                check(
                        (ctx, _) -> {
                          original(ctx);
                          step(ctx, "thank");
                          return "done";
                        })
                    .replay(closed))
        .hasMessageContainingAll(
            "recorded as #7: WorkflowCompleted", "activity thank (thank:1) at");
  }

  @Test
  void another_failure_is_found() {
    Workflow<String, String> fails =
        (_, _) -> {
          throw new TerminalFailure("sold out");
        };
    var history = Tape.ofClosed(fails);

    assertThatThrownBy(
            () ->
                check(
                        (_, _) -> {
                          throw new TerminalFailure("sold off");
                        })
                    .replay(history))
        .hasMessageContaining("WorkflowFailed dev.reprise.TerminalFailure: sold out")
        .hasMessageContaining("fails with dev.reprise.TerminalFailure: sold off");
    assertThat(check((_, _) -> "fine").check(history)).isInstanceOf(Verdict.Departs.class);
  }

  @Test
  void a_cancelled_run_that_completes_now_is_found() {
    var history =
        Tape.of(
            (ctx, _) -> ctx.receive(GO),
            (_, run) -> {
              Tape.awaitWait(run, "go");
              run.cancel("not wanted");
              Tape.awaitEnd(run);
            });

    assertThatThrownBy(
            () ->
                check(
                        (ctx, _) -> {
                          try {
                            return ctx.receive(GO);
                          } catch (RuntimeException cancelled) {
                            return "anyway";
                          }
                        })
                    .replay(history))
        .hasMessageContainingAll("recorded as #3: WorkflowCancelled", "the code now:  returns");
  }

  @Test
  void a_guarded_change_is_none() {
    check(
            (ctx, _) -> {
              if (ctx.patched("check")) step(ctx, "check");
              return original(ctx);
            })
        .replay(closed);
  }
}
