package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.events;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityOptions;
import dev.reprise.BranchCancelled;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.TimedOut;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of a branch whose time is over, and of all that it started. */
class GivenUpTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  @RegisterExtension final World world = new World(StoreKind.MEMORY);
  private final Calls calls = new Calls();

  private static String limited(Context ctx, Duration limit, Context.Branch<String> branch) {
    try {
      return ctx.withTimeout(limit, branch);
    } catch (TimedOut e) {
      return "timed out";
    }
  }

  private static String elapsed(Context ctx) {
    return " at " + Duration.between(World.START, ctx.now());
  }

  private String sleeping(Context ctx, String who) {
    ctx.sleep(DAY);
    calls.add(who);
    return who;
  }

  @Test
  void the_branch_given_up_learns_it_at_its_waiting_call_and_at_every_later_one() {
    var seen = new Calls();
    world.play(
        (ctx, _) -> {
          limited(
              ctx,
              HOUR,
              () -> {
                try {
                  ctx.sleep(DAY);
                } catch (BranchCancelled e) {
                  seen.add("sleep");
                }
                try {
                  ctx.run("more", () -> calls.add("more"));
                } catch (BranchCancelled e) {
                  seen.add("run");
                }
                return "stubborn";
              });
          ctx.sleep(HOUR);
          return "";
        });

    assertThat(seen.all()).containsExactly("sleep", "run");
    assertThat(calls.all()).isEmpty();
  }

  @Test
  void an_activity_that_runs_is_left_to_end_and_its_completion_is_recorded() throws Exception {
    var gate = world.gate();
    var handle =
        world.begin(
            (ctx, _) -> {
              var outcome =
                  limited(
                      ctx,
                      HOUR,
                      () -> {
                        var late =
                            ctx.run(
                                "slow",
                                String.class,
                                () -> {
                                  gate.pass();
                                  return "late";
                                });
                        ctx.run("next", () -> calls.add("next"));
                        return late;
                      });
              return outcome + ctx.receive(WORD);
            });
    gate.awaitReached();
    world.time().advance(HOUR);
    awaitEvents(world.engine(), "w", "WaitTimedOut", 1);
    gate.open();
    awaitEvents(world.engine(), "w", "ActivityCompleted", 1);
    handle.signal(WORD, "!");

    assertThat(result(handle)).isEqualTo("timed out!");
    assertThat(calls.all()).isEmpty();
    assertThat(outline(handle.history()))
        .containsExactly(
            "WorkflowStarted code",
            "WaitTimedOut timeout:1",
            "ActivityCompleted slow:1",
            "SignalReceived word",
            "WorkflowCompleted");
  }

  @Test
  void an_activity_that_waits_for_its_next_attempt_is_given_up() {
    var patient = ActivityOptions.defaults().retry(RetryPolicy.fixed(DAY, 5));
    var result =
        world.play(
            (ctx, _) -> {
              var outcome =
                  limited(
                      ctx,
                      HOUR,
                      () -> {
                        ctx.with(patient)
                            .run(
                                "flaky",
                                () -> {
                                  calls.add("flaky");
                                  throw new IllegalStateException("no");
                                });
                        return "never";
                      });
              ctx.sleep(DAY.multipliedBy(10));
              return outcome;
            });

    assertThat(result).isEqualTo("timed out");
    assertThat(calls.of("flaky")).isEqualTo(1);
    assertThat(outline(world.engine().history("w")))
        .containsSubsequence(
            "ActivityRetryScheduled flaky:1",
            "WaitTimedOut timeout:1",
            "ActivityCancelled flaky:1");
  }

  @Test
  void an_attempt_that_fails_after_the_branch_was_given_up_is_the_last() throws Exception {
    var gate = world.gate();
    var patient = ActivityOptions.defaults().retry(RetryPolicy.fixed(HOUR, 5));
    var handle =
        world.begin(
            (ctx, _) -> {
              var outcome =
                  limited(
                      ctx,
                      HOUR,
                      () -> {
                        ctx.with(patient)
                            .run(
                                "flaky",
                                () -> {
                                  calls.add("flaky");
                                  gate.pass();
                                  throw new IllegalStateException("no");
                                });
                        return "never";
                      });
              ctx.sleep(DAY);
              return outcome;
            });
    gate.awaitReached();
    world.time().advance(HOUR);
    awaitEvents(world.engine(), "w", "WaitTimedOut", 1);
    gate.open();

    assertThat(world.resultInTime(handle)).isEqualTo("timed out");
    assertThat(calls.of("flaky")).isEqualTo(1);
    assertThat(events(world.engine(), "w", "ActivityRetryScheduled")).isEmpty();
  }

  @Test
  void everything_that_the_branch_started_is_given_up_with_it() {
    var result =
        world.play(
            (ctx, _) -> {
              var outcome =
                  limited(
                      ctx,
                      HOUR,
                      () -> {
                        ctx.async(() -> sleeping(ctx, "child"));
                        ctx.async(
                            () -> ctx.async(() -> sleeping(ctx, "child of a branch that ended")));
                        return sleeping(ctx, "itself");
                      });
              ctx.sleep(DAY.multipliedBy(10));
              return outcome;
            });

    assertThat(result).isEqualTo("timed out");
    assertThat(calls.all()).isEmpty();
    assertThat(events(world.engine(), "w", "TimerCancelled")).hasSize(3);
  }

  @Test
  void branches_that_outlive_a_branch_that_ended_in_time_go_on() {
    var result =
        world.play(
            (ctx, _) -> {
              var heard = new ArrayList<String>();
              limited(
                  ctx,
                  HOUR,
                  () -> {
                    ctx.async(() -> heard.add(sleeping(ctx, "child")));
                    return "quick";
                  });
              ctx.sleep(DAY.multipliedBy(2));
              return heard.toString();
            });

    assertThat(result).isEqualTo("[child]");
  }

  @Test
  void what_was_given_up_stays_so_after_a_restart() {
    Workflow<String, String> code =
        (ctx, _) -> {
          var outcome = limited(ctx, HOUR, () -> ctx.async(() -> sleeping(ctx, "never")).await());
          ctx.sleep(DAY.multipliedBy(5));
          return outcome;
        };
    world.begin(code);
    world.time().advance(HOUR);
    awaitEvents(world.engine(), "w", "TimerCancelled", 1);
    world.crash();
    var second = world.open(r -> r.workflow("code", String.class, String.class, code));

    String result = world.resultInTime(second.handle("w", String.class));

    assertThat(result).isEqualTo("timed out");
    assertThat(calls.all()).isEmpty();
  }
}
