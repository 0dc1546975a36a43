package dev.reprise.verification.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityContext;
import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.BranchCancelled;
import dev.reprise.Completion;
import dev.reprise.HistoryEvent;
import dev.reprise.Promise;
import dev.reprise.RepriseException;
import dev.reprise.RetryAfter;
import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.Workflow;
import dev.reprise.WorkflowFailed;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What workflows see of activities on queues. */
@RepriseTest
class QueuedActivityTest {
  private static final ActivityOptions GPU = ActivityOptions.onQueue("gpu");

  /** What runs elsewhere. */
  public interface Studio {
    String paint(String what, int size);

    void clean();

    String ask(String question);

    List<Integer> count(int to);
  }

  private final List<String> log = new CopyOnWriteArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile String token = "";
  private volatile RuntimeException failure = new IllegalStateException("no paint");

  private final Studio studio =
      new Studio() {
        @Override
        public String paint(String what, int size) {
          log.add("paint " + what + " " + ActivityContext.current().attempt());
          if (failures.getAndDecrement() > 0) throw failure;
          return what + "@" + size;
        }

        @Override
        public void clean() {
          log.add("clean");
        }

        @Override
        public String ask(String question) {
          token = ActivityContext.current().completeLater();
          return "ignored";
        }

        @Override
        public List<Integer> count(int to) {
          var numbers = new ArrayList<Integer>();
          for (int i = 1; i <= to; i++) numbers.add(i);
          return numbers;
        }
      };

  private TestEngine set(TestEngine engine, Workflow<String, String> code) {
    return engine
        .unguarded()
        .activities(studio)
        .workflow("code", String.class, String.class, code)
        .worker("gpu", 4);
  }

  private static List<String> types(List<HistoryEvent> history) {
    return history.stream().map(HistoryEvent::type).toList();
  }

  @Test
  void a_proxy_on_a_queue_gives_what_a_worker_returns(TestEngine engine) {
    set(engine, (ctx, in) -> ctx.activities(Studio.class, GPU).paint(in, 3));

    assertThat(engine.start("code", "w", "cat").result()).isEqualTo("cat@3");
    assertThat(types(engine.history("w")))
        .containsExactly(
            "WorkflowStarted", "ActivityScheduled", "ActivityCompleted", "WorkflowCompleted");
  }

  @Test
  void generic_results_keep_their_type(TestEngine engine) {
    set(
        engine,
        (ctx, in) -> {
          int sum = 0;
          for (int n : ctx.activities(Studio.class, GPU).count(4)) sum += n;
          return "" + sum;
        });

    assertThat(engine.start("code", "w", "").result()).isEqualTo("10");
  }

  @Test
  void a_thousand_run_side_by_side_and_are_joined(TestEngine engine) {
    set(
        engine,
        (ctx, in) -> {
          var all = new ArrayList<Promise<String>>();
          for (int i = 0; i < 1_000; i++) all.add(ctx.with(GPU).schedule(studio::paint, "p", i));
          return "" + ctx.all(all).size();
        });

    assertThat(engine.start("code", "w", "").result()).isEqualTo("1000");
    assertThat(log).hasSize(1_000);
  }

  @Test
  void what_is_scheduled_runs_even_if_the_workflow_ends_first(TestEngine engine) {
    set(
        engine,
        (ctx, in) -> {
          ctx.with(GPU).schedule(studio::clean);
          return "done";
        });

    assertThat(engine.start("code", "w", "").result()).isEqualTo("done");
    engine.awaitQuiet();
    assertThat(log).containsExactly("clean");
    assertThat(types(engine.history("w"))).endsWith("WorkflowCompleted");
    assertThat(engine.queue("gpu").ready()).isZero();
  }

  @Test
  void a_failed_attempt_is_tried_again_when_its_time_has_come(TestEngine engine) {
    set(engine, (ctx, in) -> ctx.activities(Studio.class, GPU).paint(in, 1));
    failures.set(2);
    var begin = engine.now();

    assertThat(engine.start("code", "w", "dog").result()).isEqualTo("dog@1");
    assertThat(Duration.between(begin, engine.now())).isEqualTo(Duration.ofSeconds(3));
    assertThat(types(engine.history("w")))
        .containsExactly(
            "WorkflowStarted",
            "ActivityScheduled",
            "ActivityRetryScheduled",
            "ActivityRetryScheduled",
            "ActivityCompleted",
            "WorkflowCompleted");
    assertThat(log).containsExactly("paint dog 1", "paint dog 2", "paint dog 3");
  }

  @Test
  void an_activity_says_itself_when_to_try_again(TestEngine engine) {
    set(engine, (ctx, in) -> ctx.activities(Studio.class, GPU).paint(in, 1));
    failures.set(1);
    failure = new RetryAfter(Duration.ofMinutes(7), "busy");
    var begin = engine.now();

    assertThat(engine.start("code", "w", "dog").result()).isEqualTo("dog@1");
    assertThat(Duration.between(begin, engine.now())).isEqualTo(Duration.ofMinutes(7));
  }

  @Test
  void a_terminal_failure_is_not_tried_again(TestEngine engine) {
    set(engine, (ctx, in) -> ctx.activities(Studio.class, GPU).paint(in, 1));
    failures.set(9);
    failure = new TerminalFailure("never");

    assertThatThrownBy(() -> engine.start("code", "w", "dog").result())
        .isInstanceOf(WorkflowFailed.class)
        .hasMessageContaining("never");
    assertThat(log).hasSize(1);
  }

  @Test
  void the_policy_of_the_call_counts_first(TestEngine engine) {
    set(
        engine,
        (ctx, in) -> {
          var once = GPU.retry(RetryPolicy.none());
          try {
            return ctx.activities(Studio.class, once).paint(in, 1);
          } catch (ActivityFailed e) {
            return e.attempts() + " " + e.failureMessage();
          }
        });
    failures.set(9);

    assertThat(engine.start("code", "w", "dog").result()).isEqualTo("1 no paint");
  }

  @Test
  void somebody_outside_completes_it(TestEngine engine) {
    set(engine, (ctx, in) -> ctx.activities(Studio.class, GPU).ask(in));
    var run = engine.start("code", "w", "why");
    engine.awaitQuiet();

    assertThat(engine.queue("gpu").external()).isOne();
    assertThat(engine.describe("w").waitingFor().getFirst().note()).contains("from outside");
    assertThat(engine.complete(token, "because")).isEqualTo(Completion.ACCEPTED);
    assertThat(run.result()).isEqualTo("because");
    assertThat(engine.complete(token, "again")).isEqualTo(Completion.ALREADY_COMPLETED);
  }

  @Test
  void bad_tokens_and_results_are_refused_and_nothing_is_lost(TestEngine engine) {
    set(engine, (ctx, in) -> ctx.activities(Studio.class, GPU).ask(in));
    var run = engine.start("code", "w", "why");
    engine.awaitQuiet();

    assertThatThrownBy(() -> engine.complete("nonsense", "x")).hasMessageContaining("R133");
    var forged = token.substring(0, token.length() - 2) + (token.endsWith("AA") ? "BB" : "AA");
    assertThatThrownBy(() -> engine.complete(forged, "x"))
        .isInstanceOf(RepriseException.class)
        .hasMessageContaining("R133");
    assertThatThrownBy(() -> engine.complete(token, List.of(1))).hasMessageContaining("R136");
    engine.complete(token, "because");
    assertThat(run.result()).isEqualTo("because");
  }

  @Test
  void a_failure_from_outside_is_tried_again(TestEngine engine) {
    set(engine, (ctx, in) -> ctx.activities(Studio.class, GPU).ask(in));
    var run = engine.start("code", "w", "why");
    engine.awaitQuiet();
    var first = token;
    engine.fail(first, new IllegalStateException("no idea"));
    engine.advance(Duration.ofSeconds(1));
    engine.awaitQuiet();

    assertThat(token).isNotEqualTo(first);
    assertThatThrownBy(() -> engine.complete(first, "late")).hasMessageContaining("R134");
    engine.complete(token, "because");
    assertThat(run.result()).isEqualTo("because");
  }

  @Test
  void cancelling_takes_what_waits_off_its_queue(TestEngine engine) {
    engine
        .unguarded()
        .activities(studio)
        .workflow(
            "code",
            String.class,
            String.class,
            (ctx, in) ->
                ctx.activities(Studio.class, ActivityOptions.onQueue("nobody")).paint(in, 1));
    var run = engine.start("code", "w", "cat");
    engine.awaitQuiet();

    assertThat(engine.describe("w").waitingFor().getFirst().note()).contains("nobody serves");
    run.cancel("enough");
    engine.awaitQuiet();
    assertThat(engine.describe("w").status()).isEqualTo(Status.CANCELLED);
    assertThat(types(engine.history("w"))).contains("ActivityCancelRequested");
    assertThat(engine.queue("nobody").ready()).isZero();
  }

  @Test
  void a_branch_that_is_given_up_gives_up_its_activity(TestEngine engine) {
    engine
        .unguarded()
        .activities(studio)
        .workflow(
            "code",
            String.class,
            String.class,
            (ctx, in) -> {
              var nobody = ctx.activities(Studio.class, ActivityOptions.onQueue("nobody"));
              try {
                return ctx.withTimeout(Duration.ofMinutes(1), () -> nobody.paint(in, 1));
              } catch (dev.reprise.TimedOut late) {
                ctx.sleep(Duration.ofMinutes(1));
                return "late";
              }
            });

    assertThat(engine.start("code", "w", "cat").result()).isEqualTo("late");
    assertThat(types(engine.history("w"))).contains("ActivityCancelRequested", "ActivityCancelled");
    assertThat(engine.queue("nobody").ready()).isZero();
  }

  @Test
  void waiting_too_long_on_a_queue_fails_it(TestEngine engine) {
    engine
        .unguarded()
        .activities(studio)
        .workflow(
            "code",
            String.class,
            String.class,
            (ctx, in) -> {
              var options = ActivityOptions.onQueue("nobody").queueTimeout(Duration.ofMinutes(5));
              try {
                return ctx.activities(Studio.class, options).paint(in, 1);
              } catch (ActivityFailed e) {
                return e.attempts() + " " + e.failureMessage();
              }
            });
    var begin = engine.now();

    assertThat(engine.start("code", "w", "cat").result().toString())
        .startsWith("0 no worker of queue 'nobody' took it");
    assertThat(Duration.between(begin, engine.now())).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void a_worker_that_dies_is_replaced_after_the_visibility_timeout(TestEngine engine) {
    set(engine, (ctx, in) -> ctx.activities(Studio.class, GPU).paint(in, 1));
    var crashed = new AtomicInteger();
    engine.replace(
        "Studio.paint",
        call -> {
          if (crashed.getAndIncrement() == 0) engine.crash();
          return "cat by " + crashed.get();
        });
    var begin = engine.now();

    assertThat(engine.start("code", "w", "cat").result()).isEqualTo("cat by 2");
    assertThat(Duration.between(begin, engine.now())).isEqualTo(Duration.ofSeconds(30));
    assertThat(types(engine.history("w"))).contains("ActivityRetryScheduled");
  }

  @Test
  void a_lambda_cannot_go_to_a_queue(TestEngine engine) {
    set(engine, (ctx, in) -> ctx.with(GPU).run("label", String.class, () -> "x"));
    engine.start("code", "w", "");
    engine.awaitQuiet();

    assertThat(engine.describe("w").blockedBy()).contains("R138");
  }

  @Test
  void given_up_is_not_failed(TestEngine engine) {
    set(
        engine,
        (ctx, in) -> {
          var nobody = ActivityOptions.onQueue("nobody");
          var painted = ctx.async(() -> ctx.with(nobody).run(studio::paint, in, 1));
          try {
            ctx.scope(
                dev.reprise.JoinPolicy.FAIL_FAST,
                scope -> {
                  scope.fork(() -> ctx.with(nobody).run(studio::paint, "other", 1));
                  scope.fork(
                      () -> {
                        throw new IllegalStateException("stop");
                      });
                  return "";
                });
          } catch (IllegalStateException | BranchCancelled e) {
            return e.getMessage() + " " + painted.isDone();
          }
          return "";
        });

    assertThat(engine.start("code", "w", "cat").result()).isEqualTo("stop false");
  }
}
