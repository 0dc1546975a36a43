package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.BranchCancelled;
import dev.reprise.BranchFailed;
import dev.reprise.Context;
import dev.reprise.Promise;
import dev.reprise.Signal;
import dev.reprise.TimedOut;
import dev.reprise.WorkflowCancelled;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Branches of a workflow, joined and limited in time. */
class RunBranchesTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @RegisterExtension final Theatre theatre = new Theatre();

  // ---- branches ---------------------------------------------------------------------------------

  private static <T> Promise<T> after(Context ctx, Duration duration, Context.Branch<T> then) {
    return ctx.async(
        () -> {
          ctx.sleep(duration);
          return then.run();
        });
  }

  @Test
  void all_results_come_in_the_order_of_the_promises() {
    theatre.play(
        (ctx, _) -> {
          var slow = after(ctx, HOUR, () -> "slow");
          var quick = after(ctx, MINUTE, () -> "quick");
          var now = ctx.async(() -> "now");
          assertThat(now.isDone()).isFalse();
          assertThat(now.await()).isEqualTo("now");
          assertThat(now.isDone()).isTrue();
          return ctx.all(List.of(slow, now, quick)) + "" + ctx.all(List.of());
        });
    theatre.advance(MINUTE);
    assertThat(theatre.ends()).isEmpty();
    theatre.advance(HOUR);

    assertThat(theatre.result()).isEqualTo("\"[slow, now, quick][]\"");
  }

  @Test
  void all_fails_with_the_first_failure_and_does_not_wait_for_the_rest() {
    theatre.play(
        (ctx, _) -> {
          var slow = after(ctx, HOUR, () -> "slow");
          var fails =
              ctx.async(
                  () -> {
                    ctx.sleep(MINUTE);
                    throw new IOException("broken");
                  });
          try {
            return ctx.all(List.of(slow, fails)).toString();
          } catch (BranchFailed e) {
            return e.getCause().getMessage();
          }
        });
    theatre.advance(MINUTE);

    assertThat(theatre.result()).isEqualTo("\"broken\"");
  }

  @Test
  void any_is_the_first_success_and_race_the_first_end() {
    theatre.play(
        (ctx, _) -> {
          var fails =
              ctx.<String>async(
                  () -> {
                    ctx.sleep(MINUTE);
                    throw new IllegalStateException("broken");
                  });
          var works = after(ctx, HOUR, () -> "works");
          var raced = "";
          try {
            raced = ctx.race(List.of(works, fails));
          } catch (IllegalStateException e) {
            raced = e.getMessage();
          }
          return raced + ", " + ctx.any(List.of(fails, works)) + ", " + ctx.race(List.of(works));
        });
    theatre.advance(MINUTE);
    assertThat(theatre.ends()).isEmpty();
    theatre.advance(HOUR);

    assertThat(theatre.result()).isEqualTo("\"broken, works, works\"");
  }

  @Test
  void any_fails_when_all_have_failed_with_the_last_failure() {
    theatre.play(
        (ctx, _) -> {
          var promises = new ArrayList<Promise<String>>();
          for (var name : List.of("first", "last")) {
            promises.add(
                ctx.async(
                    () -> {
                      ctx.sleep(name.equals("first") ? MINUTE : HOUR);
                      throw new IllegalStateException(name);
                    }));
          }
          try {
            return ctx.any(promises);
          } catch (IllegalStateException e) {
            return e.getMessage();
          }
        });
    theatre.advance(MINUTE);
    assertThat(theatre.ends()).isEmpty();
    theatre.advance(HOUR);

    assertThat(theatre.result()).isEqualTo("\"last\"");
  }

  @Test
  void there_is_no_first_of_nothing() {
    theatre.play(
        (ctx, _) -> {
          assertThatThrownBy(() -> ctx.any(List.of())).hasMessageContaining("no promise");
          assertThatThrownBy(() -> ctx.race(List.of())).hasMessageContaining("no promise");
          return "";
        });

    assertThat(theatre.result()).isEqualTo("\"\"");
  }

  @Test
  void an_error_of_a_branch_is_that_of_its_promise() {
    theatre.play(
        (ctx, _) -> {
          var promise =
              ctx.async(
                  () -> {
                    throw new AssertionError("broken");
                  });
          try {
            promise.await();
          } catch (AssertionError e) {
            return e.getMessage();
          }
          return "";
        });

    assertThat(theatre.result()).isEqualTo("\"broken\"");
  }

  @Test
  void branches_take_turns_in_the_order_of_their_start() {
    var order = new ArrayList<String>();
    theatre.play(
        (ctx, _) -> {
          var promises = new ArrayList<Promise<Boolean>>();
          for (var name : List.of("a", "b", "c")) promises.add(ctx.async(() -> order.add(name)));
          order.add("main");
          ctx.all(promises);
          return "";
        });

    assertThat(theatre.result()).isEqualTo("\"\"");
    assertThat(order).containsExactly("main", "a", "b", "c");
  }

  // ---- limits -----------------------------------------------------------------------------------

  @Test
  void a_branch_in_time_gives_its_result() {
    theatre.play(
        (ctx, _) -> {
          var done = ctx.withTimeout(HOUR, () -> ctx.receive(WORD));
          return done + ctx.receive(WORD);
        });
    theatre.signal("word", "a");
    assertThat(theatre.alarms()).isEmpty();
    theatre.signal("word", "b");

    assertThat(theatre.result()).isEqualTo("\"ab\"");
  }

  @Test
  void a_branch_whose_time_is_over_is_given_up_with_all_that_it_started() {
    var met = new ArrayList<String>();
    theatre.play(
        (ctx, _) -> {
          try {
            ctx.withTimeout(
                MINUTE,
                () -> {
                  ctx.async(
                      () -> {
                        try {
                          return ctx.receive(WORD);
                        } catch (BranchCancelled e) {
                          met.add("child " + e.getMessage());
                          throw e;
                        }
                      });
                  try {
                    ctx.sleep(HOUR);
                  } catch (BranchCancelled e) {
                    met.add("branch");
                    assertThatThrownBy(() -> ctx.sleep(HOUR)).isInstanceOf(BranchCancelled.class);
                    met.add("branch again");
                  }
                  return "";
                });
          } catch (TimedOut e) {
            return e.getMessage() + " " + ctx.receive(WORD);
          }
          return "in time";
        });
    theatre.advance(MINUTE);
    theatre.signal("word", "a");

    assertThat(theatre.result()).isEqualTo("\"the branch did not end within PT1M a\"");
    assertThat(met)
        .containsExactlyInAnyOrder(
            "child this branch was given up, its time was over", "branch", "branch again");
    assertThat(theatre.outline())
        .contains("WaitTimedOut timeout:1", "TimerCancelled sleep:1")
        .doesNotContain("TimerFired sleep:1");
    assertThat(theatre.alarms()).isEmpty();
  }

  @Test
  void what_a_branch_started_is_given_up_with_the_one_that_started_the_branch() {
    var met = new ArrayList<String>();
    theatre.play(
        (ctx, _) -> {
          try {
            ctx.withTimeout(
                MINUTE,
                () -> {
                  ctx.async(
                      () ->
                          ctx.async(
                              () -> {
                                try {
                                  return ctx.receive(WORD);
                                } catch (BranchCancelled e) {
                                  met.add("grandchild");
                                  throw e;
                                }
                              }));
                  ctx.sleep(HOUR);
                  return "";
                });
          } catch (TimedOut e) {
            return ctx.receive(WORD);
          }
          return "in time";
        });
    theatre.advance(MINUTE);
    theatre.signal("word", "a");

    assertThat(theatre.result()).isEqualTo("\"a\"");
    assertThat(met).containsExactly("grandchild");
  }

  @Test
  void code_that_was_given_up_begins_no_branch() {
    var met = new ArrayList<String>();
    theatre.play(
        (ctx, _) -> {
          ctx.sleep(MINUTE);
          try {
            ctx.receive(WORD);
          } catch (WorkflowCancelled e) {
            met.add("main");
          }
          assertThatThrownBy(() -> ctx.async(() -> met.add("branch")))
              .isInstanceOf(WorkflowCancelled.class);
          return "";
        });
    theatre.advance(MINUTE);
    theatre.cancel("late");

    assertThat(theatre.result()).isEqualTo("\"\"");
    assertThat(met).containsExactly("main");
  }

  @Test
  void a_step_between_two_attempts_is_given_up_and_one_that_runs_is_not() {
    var attempts = new AtomicInteger();
    theatre.play(
        (ctx, _) -> {
          try {
            ctx.withTimeout(
                Duration.ofSeconds(5),
                () -> {
                  ctx.run(
                      "pay",
                      () -> {
                        attempts.incrementAndGet();
                        throw new IllegalStateException("closed");
                      });
                  return "";
                });
          } catch (TimedOut e) {
            return ctx.receive(WORD);
          }
          return "in time";
        });
    theatre.advance(Duration.ofSeconds(5));
    theatre.advance(HOUR);
    theatre.signal("word", "a");

    assertThat(theatre.result()).isEqualTo("\"a\"");
    assertThat(attempts).hasValue(1);
    assertThat(theatre.outline())
        .containsExactly(
            "WorkflowStarted code",
            "ActivityRetryScheduled pay:1",
            "WaitTimedOut timeout:1",
            "ActivityCancelled pay:1",
            "SignalReceived word",
            "WorkflowCompleted");
  }
}
