package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Promise;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Branches and the ways to wait for them. */
class JoinTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world = new World(StoreKind.MEMORY);

  private static Promise<String> after(Context ctx, int hours, String value) {
    return ctx.async(
        () -> {
          ctx.sleep(HOUR.multipliedBy(hours));
          return value;
        });
  }

  private static Promise<String> failingAfter(Context ctx, int hours, String message) {
    return ctx.async(
        () -> {
          ctx.sleep(HOUR.multipliedBy(hours));
          throw new IllegalStateException(message);
        });
  }

  private static String caught(Runnable code) {
    try {
      code.run();
      return "nothing";
    } catch (RuntimeException e) {
      return e.getMessage();
    }
  }

  private static String elapsed(Context ctx) {
    return " at " + Duration.between(World.START, ctx.now());
  }

  // ---- all --------------------------------------------------------------------------------------

  @Test
  void all_gives_the_results_in_the_order_asked_not_in_the_order_done() {
    var result =
        world.play(
            (ctx, _) ->
                ctx.all(List.of(after(ctx, 3, "a"), after(ctx, 1, "b"), after(ctx, 2, "c")))
                    + elapsed(ctx));

    assertThat(result).isEqualTo("[a, b, c] at PT3H");
  }

  @Test
  void all_throws_the_first_failure_as_soon_as_it_happens() {
    var result =
        world.play(
            (ctx, _) -> {
              var all =
                  List.of(
                      after(ctx, 3, "a"),
                      failingAfter(ctx, 2, "late"),
                      failingAfter(ctx, 1, "soon"));
              return caught(() -> ctx.all(all)) + elapsed(ctx);
            });

    assertThat(result).isEqualTo("soon at PT1H");
  }

  @Test
  void all_of_nothing_is_an_empty_list_at_once() {
    assertThat(world.play((ctx, _) -> ctx.all(List.<Promise<String>>of()).toString()))
        .isEqualTo("[]");
  }

  @Test
  void all_takes_branches_that_are_done_already() {
    var result =
        world.play(
            (ctx, _) -> {
              var done = after(ctx, 1, "a");
              var failed = failingAfter(ctx, 1, "broken");
              ctx.sleep(HOUR.multipliedBy(2));
              var fine = ctx.all(List.of(done, done));
              return fine + caught(() -> ctx.all(List.of(done, failed))) + elapsed(ctx);
            });

    assertThat(result).isEqualTo("[a, a]broken at PT2H");
  }

  @Test
  void results_may_be_null() {
    var result =
        world.play(
            (ctx, _) -> {
              var nothing = ctx.<String>async(() -> null);
              return ctx.all(List.of(nothing))
                  + " "
                  + nothing.await()
                  + " "
                  + ctx.any(List.of(nothing));
            });

    assertThat(result).isEqualTo("[null] null null");
  }

  // ---- any --------------------------------------------------------------------------------------

  @Test
  void any_gives_the_first_success_and_passes_over_failures() {
    var result =
        world.play(
            (ctx, _) ->
                ctx.any(
                        List.of(
                            after(ctx, 3, "slow"),
                            failingAfter(ctx, 1, "no"),
                            after(ctx, 2, "yes")))
                    + elapsed(ctx));

    assertThat(result).isEqualTo("yes at PT2H");
  }

  @Test
  void any_throws_the_last_failure_when_all_fail() {
    var result =
        world.play(
            (ctx, _) -> {
              var all =
                  List.of(
                      failingAfter(ctx, 2, "second"),
                      failingAfter(ctx, 3, "third"),
                      failingAfter(ctx, 1, "first"));
              return caught(() -> ctx.any(all)) + elapsed(ctx);
            });

    assertThat(result).isEqualTo("third at PT3H");
  }

  @Test
  void any_and_race_of_nothing_are_refused() {
    var result =
        world.play(
            (ctx, _) ->
                caught(() -> ctx.any(List.<Promise<String>>of()))
                    + "; "
                    + caught(() -> ctx.race(List.<Promise<String>>of())));

    assertThat(result).isEqualTo("no promise to wait for; no promise to wait for");
  }

  // ---- race -------------------------------------------------------------------------------------

  @Test
  void race_gives_the_first_that_ends_be_it_a_failure() {
    var result =
        world.play(
            (ctx, _) -> {
              var won = ctx.race(List.of(after(ctx, 2, "slow"), after(ctx, 1, "fast")));
              var lost = List.of(after(ctx, 2, "slow"), failingAfter(ctx, 1, "broken"));
              return won + " " + caught(() -> ctx.race(lost)) + elapsed(ctx);
            });

    assertThat(result).isEqualTo("fast broken at PT2H");
  }

  @Test
  void race_with_a_branch_that_is_done_does_not_wait() {
    var result =
        world.play(
            (ctx, _) -> {
              var done = after(ctx, 1, "done");
              done.await();
              return ctx.race(List.of(after(ctx, 5, "slow"), done)) + elapsed(ctx);
            });

    assertThat(result).isEqualTo("done at PT1H");
  }
}
