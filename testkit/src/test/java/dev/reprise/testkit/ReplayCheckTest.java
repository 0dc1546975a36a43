package dev.reprise.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.Promise;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.TerminalFailure;
import dev.reprise.Workflow;
import dev.reprise.engine.replay.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Code that did not change follows every kind of history; nothing is called on the way. */
class ReplayCheckTest {
  private static final Signal<String> GO = Signal.of("go", String.class);
  private static final Duration DAY = Duration.ofDays(1);
  private static final ActivityOptions LATER =
      ActivityOptions.defaults().retry(RetryPolicy.fixed(DAY, 3));

  private final AtomicInteger calls = new AtomicInteger();

  private Verdict check(String history, Workflow<String, String> code) {
    int before = calls.get();
    var verdict =
        new ReplayCheck().workflow(Tape.WORKFLOW, String.class, String.class, code).check(history);
    assertThat(calls).as("calls of activities").hasValue(before);
    return verdict;
  }

  private void follows(String history, Workflow<String, String> code, String... waits) {
    assertThat(check(history, code))
        .isInstanceOfSatisfying(
            Verdict.Follows.class,
            follows ->
                assertThat(follows.waitingFor())
                    .hasSize(waits.length)
                    .allSatisfy(wait -> assertThat(wait).containsAnyOf(waits)));
  }

  private String step(Context ctx, String name) {
    return ctx.run(name, String.class, () -> name + calls.incrementAndGet());
  }

  // ---- closed runs

  @Test
  void a_completed_run() {
    Workflow<String, String> code =
        (ctx, item) -> {
          var reserved = step(ctx, "reserve");
          ctx.sleep(Duration.ofMillis(1));
          return item + reserved + step(ctx, "ship") + ctx.uuid();
        };

    follows(Tape.ofClosed(code), code);
  }

  @Test
  void a_failed_run_also_when_the_failure_is_thrown_in_another_line() {
    var history =
        Tape.ofClosed(
            (ctx, _) -> {
              step(ctx, "reserve");
              throw new TerminalFailure("sold out");
            });

    follows(
        history,
        (ctx, _) -> {
          step(ctx, "reserve");
          if (ctx.workflowId().isEmpty()) return "";
          throw soldOut();
        });
  }

  private static TerminalFailure soldOut() {
    return new TerminalFailure("sold out");
  }

  @Test
  void a_run_that_failed_by_an_activity() {
    Workflow<String, String> code =
        (ctx, _) ->
            ctx.run(
                "charge",
                String.class,
                () -> {
                  throw new TerminalFailure("no money " + calls.incrementAndGet());
                });

    follows(Tape.ofClosed(code), code);
  }

  @Test
  void a_cancelled_run() {
    Workflow<String, String> code =
        (ctx, _) -> {
          ctx.async(() -> step(ctx, "reserve"));
          ctx.sleep(DAY);
          return "";
        };
    var history =
        Tape.of(
            code,
            (_, run) -> {
              Tape.awaitWait(run, "sleep");
              Tape.awaitEvent(run, "ActivityCompleted");
              run.cancel("not wanted");
              Tape.awaitEnd(run);
            });

    follows(history, code);
  }

  @Test
  void a_run_that_got_signals_which_it_never_looked_at() {
    Workflow<String, String> code = (ctx, _) -> ctx.receive(GO);
    var history =
        Tape.of(
            code,
            (_, run) -> {
              Tape.awaitWait(run, "go");
              run.signal(Signal.of("other", String.class), "x");
              run.signal(GO, "y");
              Tape.awaitEnd(run);
            });

    follows(history, code);
  }

  @Test
  void branches_races_limits_and_conditions() {
    Workflow<String, String> code =
        (ctx, _) -> {
          var done = new AtomicInteger();
          var branches =
              List.of(1, 2, 3).stream()
                  .map(
                      i ->
                          ctx.async(
                              () -> {
                                var result = step(ctx, "pack " + i);
                                done.incrementAndGet();
                                return result;
                              }))
                  .toList();
          ctx.await(() -> done.get() == 3);
          boolean late = !ctx.await(Duration.ofMillis(1), () -> done.get() > 3);
          var first =
              ctx.race(
                  List.of(
                      ctx.async(() -> step(ctx, "fast")),
                      ctx.async(() -> ctx.receive(GO, DAY).orElse("no"))));
          return late + first + ctx.all(branches) + ctx.random().nextInt();
        };

    follows(Tape.ofClosed(code), code);
  }

  // ---- open runs

  @Test
  void a_run_that_waits_for_a_signal() {
    Workflow<String, String> code =
        (ctx, _) -> {
          step(ctx, "reserve");
          return ctx.receive(GO) + step(ctx, "ship");
        };

    follows(Tape.ofWaiting(code, "signal", 2), code, "signal 'go'");
  }

  @Test
  void a_run_that_sleeps() {
    Workflow<String, String> code =
        (ctx, _) -> {
          ctx.sleep(DAY);
          return step(ctx, "ship");
        };

    follows(Tape.ofWaiting(code, "sleep", 2), code, "a sleep (sleep:1)");
  }

  @Test
  void a_run_between_two_attempts() {
    Workflow<String, String> code =
        (ctx, _) ->
            ctx.with(LATER)
                .run(
                    "charge",
                    String.class,
                    () -> {
                      throw new IllegalStateException("no line " + calls.incrementAndGet());
                    });
    var history = Tape.of(code, (_, run) -> Tape.awaitEvent(run, "ActivityRetryScheduled"));

    follows(history, code, "activity charge (charge:1), attempt 2");
  }

  @Test
  void a_run_in_the_middle_of_activities() {
    var opened = new CountDownLatch(1);
    Workflow<String, String> code =
        (ctx, _) -> {
          step(ctx, "reserve");
          return String.join("", ctx.all(List.of(held(ctx, "a", opened), held(ctx, "b", opened))));
        };
    try {
      var history = Tape.of(code, (_, run) -> Tape.until("both run", () -> calls.get() == 3));

      follows(history, code, "activity a", "activity b", "all of 2");
    } finally {
      opened.countDown();
    }
  }

  private Promise<String> held(Context ctx, String name, CountDownLatch opened) {
    Callable<String> activity =
        () -> {
          calls.incrementAndGet();
          opened.await();
          return name;
        };
    return ctx.async(() -> ctx.run(name, String.class, activity));
  }

  @Test
  void an_open_run_may_go_on_in_another_way_than_before() {
    var history = Tape.ofWaiting((ctx, _) -> step(ctx, "a") + ctx.receive(GO), "signal", 2);

    follows(history, (ctx, _) -> step(ctx, "a"));
    follows(history, (ctx, _) -> step(ctx, "a") + step(ctx, "b"), "activity b");
    follows(
        history,
        (ctx, _) -> {
          step(ctx, "a");
          ctx.sleep(DAY);
          return "";
        },
        "a sleep");
    follows(
        history,
        (ctx, _) -> {
          step(ctx, "a");
          throw new IllegalStateException("not any more");
        });
  }

  // ---- not followed

  @Test
  void code_that_does_not_come_back_is_told_with_its_line() {
    var history = Tape.ofClosed((ctx, _) -> step(ctx, "a"));
    var never = new CountDownLatch(1);
    var check =
        new ReplayCheck()
            .patience(Duration.ofMillis(50))
            .workflow(
                Tape.WORKFLOW,
                String.class,
                String.class,
                (_, _) -> {
                  never.await();
                  return "";
                });

    assertThatThrownBy(() -> check.replay(history))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("R110", "'order-7'")
        .cause()
        .hasStackTraceContaining("ReplayCheckTest.java");
  }

  @Test
  void a_mistake_of_the_code_is_told_with_its_cause() {
    var history = Tape.ofWaiting((ctx, _) -> step(ctx, "a") + ctx.receive(GO), "signal", 2);

    var verdict =
        check(
            history,
            (ctx, _) -> {
              step(ctx, "a");
              throw new AssertionError("oh");
            });

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Departs.class,
            departs -> {
              assertThat(departs.followed()).isEqualTo(2);
              assertThat(departs.reason()).contains("AssertionError: oh");
              assertThat(departs.mistake()).isInstanceOf(AssertionError.class);
            });
  }
}
