package dev.reprise.verification.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityContext;
import dev.reprise.ActivityFailed;
import dev.reprise.BranchCancelled;
import dev.reprise.Context;
import dev.reprise.HistoryEvent;
import dev.reprise.JoinPolicy;
import dev.reprise.Promise;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.Workflow;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import dev.reprise.WorkflowTimedOut;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Cancel, its scopes and shields. */
@RepriseTest
class ScopeTest {
  private static final Signal<String> GO = Signal.of("go", String.class);
  private final List<String> log = new CopyOnWriteArrayList<>();

  private dev.reprise.Handle<Object> begin(TestEngine engine, Workflow<String, String> code) {
    engine.unguarded().workflow("code", String.class, String.class, code);
    return engine.start("code", "w", "in");
  }

  @Test
  void a_shield_lets_the_code_clean_up_after_a_cancel(TestEngine engine) {
    var run =
        begin(
            engine,
            (ctx, _) -> {
              try {
                return ctx.receive(GO);
              } finally {
                ctx.shielded(
                    () -> {
                      ctx.sleep(Duration.ofHours(1));
                      boolean cancelled = ctx.cancelled();
                      ctx.run("clean", () -> log.add("cleaned " + cancelled));
                    });
              }
            });
    run.cancel("enough");

    assertThatThrownBy(run::result)
        .isInstanceOf(WorkflowCancelled.class)
        .hasMessageContaining("enough");
    assertThat(log).containsExactly("cleaned true");
  }

  @Test
  void a_limit_inside_of_a_shield_still_counts(TestEngine engine) {
    var run =
        begin(
            engine,
            (ctx, _) -> {
              try {
                return ctx.receive(GO);
              } catch (WorkflowCancelled c) {
                ctx.shielded(
                    () -> {
                      try {
                        ctx.withTimeout(Duration.ofMinutes(1), () -> ctx.receive(GO));
                      } catch (dev.reprise.TimedOut late) {
                        log.add("late");
                      }
                    });
                throw c;
              }
            });
    run.cancel("enough");

    assertThatThrownBy(run::result).isInstanceOf(WorkflowCancelled.class);
    assertThat(log).containsExactly("late");
  }

  @Test
  void a_branch_that_fails_ends_the_others_of_its_scope(TestEngine engine) {
    var run =
        begin(
            engine,
            (ctx, _) ->
                ctx.scope(
                    scope -> {
                      scope.fork(
                          () -> {
                            try {
                              return ctx.receive(GO);
                            } catch (BranchCancelled c) {
                              log.add(String.valueOf(c.getMessage()));
                              throw c;
                            }
                          });
                      scope.fork(
                          () -> {
                            ctx.sleep(Duration.ofHours(2));
                            return ctx.run(
                                "boom",
                                String.class,
                                () -> {
                                  throw new TerminalFailure("boom");
                                });
                          });
                      ctx.sleep(Duration.ofDays(9));
                      return "never";
                    }));

    assertThatThrownBy(run::result).isInstanceOf(WorkflowFailed.class).hasMessageContaining("boom");
    assertThat(log).containsExactly("this branch was given up, another branch of its scope failed");
    assertThat(run.history())
        .extracting(HistoryEvent::type)
        .containsExactly(
            "WorkflowStarted",
            "TimerScheduled",
            "TimerScheduled",
            "TimerFired",
            "ActivityFailed",
            "TimerCancelled",
            "WorkflowFailed");
  }

  @Test
  void a_scope_that_collects_waits_for_all(TestEngine engine) {
    var run =
        begin(
            engine,
            (ctx, _) -> {
              var promises = new ArrayList<Promise<String>>();
              ctx.scope(
                  JoinPolicy.COLLECT_ALL,
                  scope -> {
                    for (var step : List.of("a", "b", "c")) {
                      promises.add(scope.fork(() -> step(ctx, step)));
                    }
                    return null;
                  });
              var results = new ArrayList<String>();
              for (var promise : promises) {
                try {
                  results.add(promise.await());
                } catch (ActivityFailed failed) {
                  results.add("failed");
                }
              }
              return String.join(",", results);
            });

    assertThat(run.result()).isEqualTo("a,failed,c");
  }

  private static String step(Context ctx, String step) {
    return ctx.run(
        step,
        String.class,
        () -> {
          if (step.equals("b")) throw new TerminalFailure("b");
          return step;
        });
  }

  @Test
  void the_first_answer_cancels_the_rest_of_its_scope(TestEngine engine) {
    var run =
        begin(
            engine,
            (ctx, _) ->
                ctx.scope(
                    scope -> {
                      var slow = scope.fork(() -> waited(ctx, Duration.ofDays(2)));
                      var quick = scope.fork(() -> waited(ctx, Duration.ofDays(1)));
                      var first = ctx.race(List.of(slow, quick));
                      scope.cancel();
                      return first;
                    }));

    assertThat(run.result()).isEqualTo("PT24H");
    assertThat(run.history()).extracting(HistoryEvent::type).contains("TimerCancelled");
  }

  private static String waited(Context ctx, Duration time) {
    ctx.sleep(time);
    return time.toString();
  }

  @Test
  void an_activity_that_runs_is_told_and_may_end_early(TestEngine engine) throws Exception {
    var runs = new CountDownLatch(1);
    var run =
        begin(
            engine,
            (ctx, _) ->
                ctx.run(
                    "work",
                    String.class,
                    () -> {
                      var told = new CountDownLatch(1);
                      ActivityContext.current().onCancel(told::countDown);
                      runs.countDown();
                      told.await();
                      log.add("told " + ActivityContext.current().cancelled());
                      throw new IllegalStateException("given up");
                    }));
    runs.await();
    run.cancel("enough");

    assertThatThrownBy(run::result).isInstanceOf(WorkflowCancelled.class);
    assertThat(log).containsExactly("told true");
    assertThat(run.history())
        .extracting(HistoryEvent::type)
        .containsExactly(
            "WorkflowStarted", "WorkflowCancelRequested", "ActivityCancelled", "WorkflowCancelled");
  }

  @Test
  void the_time_given_at_the_start_is_all_there_is(TestEngine engine) {
    engine.unguarded().workflow("code", String.class, String.class, (ctx, _) -> ctx.receive(GO));
    var options = StartOptions.defaults().timeout(Duration.ofHours(5));
    var run = engine.start("code", "w", "in", options);

    assertThatThrownBy(run::result).isInstanceOf(WorkflowTimedOut.class);
    assertThat(run.status()).isEqualTo(Status.TIMED_OUT);
    assertThat(run.describe().closed().orElseThrow())
        .isEqualTo(run.describe().startedAt().plus(Duration.ofHours(5)));
  }

  /** A branch of a scope that starts another one. */
  public static final class Nested implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      var ended = new ArrayList<String>();
      ctx.scope(
          scope -> {
            scope.fork(
                () ->
                    scope.fork(
                        () -> {
                          ctx.sleep(Duration.ofHours(1));
                          return ended.add("inner");
                        }));
            return in;
          });
      return ended.toString();
    }
  }

  @Test
  void a_scope_waits_for_branches_that_its_branches_start(TestEngine engine) {
    engine.workflow(new Nested());

    assertThat(engine.start(Nested.class, "n", "x").result()).isEqualTo("[inner]");
  }
}
