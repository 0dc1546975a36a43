package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.engine.replay.RunPort.End;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Code that does not fit its history, and code that makes mistakes. */
class OtherCodeTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final Theatre theatre = new Theatre();

  private final List<String> calls = new ArrayList<>();

  private static Workflow<String, String> thenListen(Workflow<String, String> code) {
    return (ctx, in) -> code.run(ctx, in) + ctx.receive(WORD);
  }

  /** The reason for which the second code is blocked in the history of the first. */
  private String blockedBy(Workflow<String, String> first, Workflow<String, String> second) {
    theatre.play(thenListen(first));
    theatre.advance(HOUR);
    var before = theatre.events();
    theatre.load(thenListen(second));

    assertThat(theatre.events()).as("nothing was written").isEqualTo(before);
    assertThat(theatre.handedOver()).hasSize(1);
    assertThat(theatre.ends()).singleElement().isInstanceOf(End.Blocked.class);
    var reason = ((End.Blocked) theatre.ends().getFirst()).reason();
    assertThat(theatre.handedOver().getFirst().change()).isEqualTo(new RunChange.Block(reason));
    return reason;
  }

  // ---- other code -------------------------------------------------------------------------------

  @Test
  void a_step_with_another_name_is_found() {
    var reason =
        blockedBy(
            (ctx, in) -> {
              ctx.run("pay", () -> {});
              return in;
            },
            (ctx, in) -> {
              ctx.run("charge", () -> calls.add("charge"));
              return in;
            });

    assertThat(reason)
        .startsWith("R101")
        .contains("recorded as #2: ActivityCompleted activity pay (pay:1)")
        .contains("the code now:  activity charge (charge:1)")
        .doesNotContain("difference");
    assertThat(calls).isEmpty();
  }

  @Test
  void a_step_with_other_arguments_is_found_and_the_difference_told() {
    var till = new RunStepsTest.Till();
    var reason =
        blockedBy((ctx, _) -> ctx.run(till::one, "a"), (ctx, _) -> ctx.run(till::one, "b"));

    assertThat(reason).contains("the arguments (or the name) of the call are not the same");
  }

  @Test
  void a_sleep_of_another_length_is_found() {
    var reason =
        blockedBy(
            (ctx, in) -> {
              ctx.sleep(HOUR);
              return in;
            },
            (ctx, in) -> {
              ctx.sleep(HOUR.minusSeconds(1));
              return in;
            });

    assertThat(reason)
        .contains("recorded as #2: TimerScheduled sleep:1, due 2030-01-01T01:00:00Z")
        .contains("the code now:  sleeps for PT59M59S");
  }

  @Test
  void a_limit_of_another_length_is_found_and_the_difference_told() {
    var reason =
        blockedBy(
            (ctx, _) -> ctx.receive(WORD, HOUR).orElse(""),
            (ctx, _) -> ctx.receive(WORD, HOUR.minusSeconds(1)).orElse(""));

    assertThat(reason)
        .contains("recorded as #2: WaitTimedOut receive word:1, due 2030-01-01T01:00:00Z")
        .contains("signal 'word' (receive word:1), due 2030-01-01T00:59:59Z")
        .contains("the times are not the same");
  }

  @Test
  void a_sleep_that_is_not_asked_for_any_more_is_found() {
    var reason =
        blockedBy(
            (ctx, in) -> {
              ctx.sleep(HOUR);
              return in;
            },
            (_, in) -> in);

    assertThat(reason)
        .contains("TimerScheduled sleep:1")
        .contains("signal 'word' (receive word:1)");
  }

  @Test
  void an_end_that_comes_too_early_is_found() {
    theatre.play(thenListen((ctx, in) -> ctx.run("pay", String.class, () -> in)));
    theatre.load((_, in) -> in);

    assertThat(theatre.ends())
        .singleElement()
        .isInstanceOfSatisfying(
            End.Blocked.class,
            blocked -> assertThat(blocked.reason()).contains("the code now:  returns"));
  }

  @Test
  void a_failure_that_comes_too_early_is_found() {
    theatre.play(thenListen((ctx, in) -> ctx.run("pay", String.class, () -> in)));
    theatre.load(
        (_, _) -> {
          throw new IllegalStateException("broken");
        });

    assertThat(theatre.ends())
        .singleElement()
        .isInstanceOfSatisfying(
            End.Blocked.class,
            blocked -> assertThat(blocked.reason()).contains("the code now:  fails with"));
  }

  @Test
  void of_many_waits_some_are_shown() {
    var reason =
        blockedBy(
            (ctx, in) -> ctx.run("pay", String.class, () -> in),
            (ctx, in) -> {
              for (int i = 0; i < 7; i++) ctx.async(() -> ctx.receive(WORD));
              ctx.receive(WORD);
              return in;
            });

    assertThat(reason)
        .contains("(receive word:4)")
        .contains("; and 3 more")
        .doesNotContain("word:6");
  }

  @Test
  void code_that_catches_the_difference_gets_no_further() {
    theatre.play(thenListen((ctx, in) -> ctx.run("pay", String.class, () -> in)));
    theatre.load(
        (ctx, in) -> {
          for (int i = 0; i < 2; i++) {
            try {
              ctx.sleep(HOUR);
            } catch (RepriseException e) {
              calls.add(e.code().name());
            }
          }
          return in;
        });

    assertThat(theatre.ends()).singleElement().isInstanceOf(End.Blocked.class);
    assertThat(calls).containsExactly("R101", "R101");
    assertThat(theatre.outline())
        .containsExactly("WorkflowStarted code", "ActivityCompleted pay:1");
  }

  // ---- mistakes ---------------------------------------------------------------------------------

  @Test
  void an_error_blocks_a_run() {
    theatre.play(
        (_, _) -> {
          throw new AssertionError("broken");
        });

    assertThat(theatre.ends()).containsExactly(new End.Blocked("java.lang.AssertionError: broken"));
    assertThat(theatre.store().find("w").orElseThrow().blockedBy())
        .isEqualTo("java.lang.AssertionError: broken");
  }

  @Test
  void an_exception_fails_a_run() {
    theatre.play(
        (_, _) -> {
          throw new IllegalStateException("broken");
        });

    assertThat(theatre.outline()).containsExactly("WorkflowStarted code", "WorkflowFailed");
    assertThat(theatre.ends()).singleElement().isInstanceOf(End.Closed.class);
  }

  @Test
  void another_thread_may_not_use_the_context() throws Exception {
    var refused = new CountDownLatch(1);
    theatre.play(
        (ctx, in) -> {
          var thread =
              Thread.ofVirtual()
                  .start(
                      () -> {
                        try {
                          ctx.now();
                        } catch (RepriseException e) {
                          calls.add(e.code().name());
                          refused.countDown();
                        }
                      });
          thread.join();
          return in;
        });

    refused.await();
    assertThat(calls).containsExactly("R111");
  }

  @Test
  void code_that_swallows_its_end_is_thrown_away() {
    theatre.play(
        (ctx, in) -> {
          try {
            ctx.receive(WORD);
          } catch (Throwable swallowed) {
            calls.add("swallowed");
          }
          return in;
        });
    theatre.run().abandon();
    Theatre.until(() -> !calls.isEmpty());

    assertThat(theatre.ends()).containsExactly(new End.Released());
    assertThat(theatre.outline()).containsExactly("WorkflowStarted code");
  }
}
