package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.FailureInfo;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.replay.RunPort.End;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Code that does not fit its history, and code that makes mistakes. */
class OtherCodeTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final Theatre theatre = new Theatre();

  private final List<String> calls = new CopyOnWriteArrayList<>();

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

    assertThat(reason).contains("the arguments are not the same: argument 1: \"a\", now \"b\"\n");
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
  void of_a_few_waits_all_are_shown() {
    var reason =
        blockedBy(
            (ctx, in) -> ctx.run("pay", String.class, () -> in),
            (ctx, in) -> {
              for (int i = 0; i < 4; i++) ctx.async(() -> ctx.receive(WORD));
              return in;
            });

    assertThat(reason).contains("(receive word:1)", "(receive word:5)").doesNotContain("more");
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

  static List<Event> askedFor() {
    return List.of(
        new Event.TimerScheduled("sleep:1", Theatre.START),
        new Event.TimerCancelled("sleep:1"),
        new Event.PatchMarked("new"),
        new Event.WorkflowCompleted(Theatre.json("in")),
        new Event.WorkflowFailed(new FailureInfo("E", null, null, null, null)),
        new Event.WorkflowCancelled("late"));
  }

  @ParameterizedTest
  @MethodSource("askedFor")
  void what_code_should_have_asked_for_before_it_waits_is_found(Event event) {
    theatre.start();
    theatre.record(event);
    theatre.load(thenListen((_, in) -> in));

    assertThat(theatre.ends())
        .singleElement()
        .isInstanceOfSatisfying(
            End.Blocked.class,
            blocked ->
                assertThat(blocked.reason())
                    .contains("recorded as #2: " + event.getClass().getSimpleName()));
  }

  @Test
  void a_signal_is_not_passed_over_by_code_that_does_not_wait() {
    theatre.start();
    theatre.record(new Event.SignalReceived("word", Theatre.json("a"), null));
    theatre.load(
        (ctx, in) -> {
          ctx.sleep(HOUR);
          return in;
        });

    assertThat(theatre.ends()).singleElement().isInstanceOf(End.Blocked.class);
  }

  // ---- ends -------------------------------------------------------------------------------------

  static List<Arguments> ends() {
    Workflow<String, String> returns = (ctx, _) -> ctx.receive(WORD);
    Workflow<String, String> fails =
        (ctx, _) -> {
          throw new IllegalStateException(ctx.receive(WORD));
        };
    return List.of(
        Arguments.of(returns, "WorkflowCompleted"), Arguments.of(fails, "WorkflowFailed"));
  }

  /** They were recorded while the end was on its way, and the end never arrived. */
  @ParameterizedTest
  @MethodSource("ends")
  void inputs_that_came_during_the_end_stand_before_it(Workflow<String, String> code, String end) {
    theatre.start();
    theatre.record(
        new Event.SignalReceived("word", Theatre.json("a"), null),
        new Event.SignalReceived("later", Theatre.json("b"), null),
        new Event.WorkflowCancelRequested("ops", "late"));
    theatre.load(code);

    assertThat(theatre.outline())
        .containsExactly(
            "WorkflowStarted code",
            "SignalReceived word",
            "SignalReceived later",
            "WorkflowCancelRequested ops",
            end);
  }

  @Test
  void inputs_that_came_during_a_cancelled_end_stand_before_it() {
    theatre.start();
    theatre.record(
        new Event.WorkflowCancelRequested("ops", "late"),
        new Event.SignalReceived("later", Theatre.json("b"), null));
    theatre.load((ctx, _) -> ctx.receive(WORD));

    assertThat(theatre.outline()).endsWith("SignalReceived later", "WorkflowCancelled");
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
  void another_thread_may_not_use_the_context_or_a_promise() throws Exception {
    var refused = new CountDownLatch(2);
    theatre.play(
        (ctx, in) -> {
          var promise = ctx.async(() -> in);
          var thread =
              Thread.ofVirtual()
                  .start(
                      () -> {
                        for (Runnable use : List.<Runnable>of(ctx::now, promise::isDone)) {
                          try {
                            use.run();
                          } catch (RepriseException e) {
                            calls.add(e.code().name());
                            refused.countDown();
                          }
                        }
                      });
          thread.join();
          return in;
        });

    refused.await();
    assertThat(calls).containsExactly("R111", "R111");
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

  @Test
  void code_that_goes_on_calling_after_its_end_is_left_standing() {
    var threads = new ArrayList<Thread>();
    theatre.play(
        (ctx, _) -> {
          threads.add(Thread.currentThread());
          for (; ; ) {
            try {
              ctx.receive(WORD);
            } catch (Throwable swallowed) {
              calls.add(swallowed.getClass().getSimpleName());
            }
          }
        });
    theatre.run().abandon();

    Theatre.until(() -> threads.getFirst().getState() == Thread.State.WAITING && calls.size() > 9);
    assertThat(calls).hasSize(1_001).containsOnly("Unwind"); // the first where it waited
    assertThat(theatre.ends()).containsExactly(new End.Released());
    assertThat(Theatre.get(theatre.run().waitingFor())).isEmpty();
  }
}
