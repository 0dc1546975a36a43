package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.events;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.TimedOut;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A branch with a time limit. */
class TimeLimitTest {
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
  void a_branch_that_ends_in_time_gives_its_result_and_leaves_no_event() {
    var result =
        world.play(
            (ctx, _) ->
                limited(ctx, HOUR, () -> ctx.run("quick", String.class, () -> "quick"))
                    + elapsed(ctx));

    assertThat(result).isEqualTo("quick at PT0S");
    assertThat(outline(world.engine().history("w")))
        .containsExactly("WorkflowStarted code", "ActivityCompleted quick:1", "WorkflowCompleted");
  }

  @Test
  void a_branch_that_fails_in_time_throws_its_failure() {
    var result =
        world.play(
            (ctx, _) -> {
              try {
                return ctx.withTimeout(
                    HOUR,
                    () -> {
                      throw new IllegalStateException("broken");
                    });
              } catch (IllegalStateException e) {
                return e.getMessage();
              }
            });

    assertThat(result).isEqualTo("broken");
  }

  @Test
  void a_sleep_is_given_up_and_recorded_as_cancelled() {
    var result =
        world.play(
            (ctx, _) ->
                limited(
                        ctx,
                        HOUR,
                        () -> {
                          ctx.sleep(DAY);
                          return "slept";
                        })
                    + elapsed(ctx));

    assertThat(result).isEqualTo("timed out at PT1H");
    assertThat(outline(world.engine().history("w")))
        .containsExactly(
            "WorkflowStarted code",
            "TimerScheduled sleep:1",
            "WaitTimedOut timeout:1",
            "TimerCancelled sleep:1",
            "WorkflowCompleted");
  }

  @Test
  void a_wait_for_a_signal_is_given_up_and_the_next_one_gets_the_signal() {
    var handle =
        world.begin(
            (ctx, _) -> {
              var first = limited(ctx, HOUR, () -> ctx.receive(WORD));
              return first + ", then " + ctx.receive(WORD);
            });
    world.time().advanceTo(world.settle(handle));
    awaitEvents(world.engine(), "w", "WaitTimedOut", 1);
    handle.signal(WORD, "hello");

    assertThat(result(handle)).isEqualTo("timed out, then hello");
  }

  @Test
  void a_wait_for_a_condition_or_a_branch_is_given_up() {
    var result =
        world.play(
            (ctx, _) -> {
              var never = ctx.async(() -> ctx.receive(WORD));
              var condition =
                  limited(
                      ctx,
                      HOUR,
                      () -> {
                        ctx.await(() -> false);
                        return "held";
                      });
              var branch = limited(ctx, HOUR, never::await);
              return condition + " " + branch + elapsed(ctx);
            });

    assertThat(result).isEqualTo("timed out timed out at PT2H");
  }

  @Test
  void the_inner_limit_ends_the_inner_branch_only() {
    var result =
        world.play(
            (ctx, _) ->
                limited(
                    ctx,
                    DAY,
                    () ->
                        limited(ctx, HOUR, () -> sleeping(ctx, "never"))
                            + limited(ctx, HOUR.multipliedBy(2), () -> sleeping(ctx, "never"))
                            + elapsed(ctx)));

    assertThat(result).isEqualTo("timed outtimed out at PT3H");
  }

  @Test
  void the_outer_limit_ends_the_inner_branch_too() {
    var result =
        world.play(
            (ctx, _) ->
                limited(ctx, HOUR, () -> "inner " + limited(ctx, DAY, () -> sleeping(ctx, "never")))
                    + elapsed(ctx));

    assertThat(result).isEqualTo("timed out at PT1H");
    assertThat(events(world.engine(), "w", "TimerCancelled")).hasSize(1);
  }

  @Test
  void a_limit_of_nothing_or_less_is_over_at_once_and_one_without_end_never() {
    var result =
        world.play(
            (ctx, _) ->
                limited(ctx, Duration.ZERO, () -> sleeping(ctx, "never"))
                    + limited(ctx, HOUR.negated(), () -> sleeping(ctx, "never"))
                    + limited(ctx, Duration.ofSeconds(Long.MAX_VALUE), () -> sleeping(ctx, " done"))
                    + elapsed(ctx));

    assertThat(result).isEqualTo("timed outtimed out done at PT24H");
  }
}
