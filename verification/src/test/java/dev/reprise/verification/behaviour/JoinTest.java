package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.events;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.BranchFailed;
import dev.reprise.Context;
import dev.reprise.Handle;
import dev.reprise.Promise;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Branches and the ways to wait for them. */
class JoinTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world = new World(StoreKind.MEMORY);
  private Engine engine;

  /** Runs the code as a workflow to its end, with the time moved on where it sleeps. */
  private String play(Workflow<String, String> code) {
    return (String) world.resultInTime(begin(code));
  }

  private Handle<Object> begin(Workflow<String, String> code) {
    engine = world.open(r -> r.workflow("code", String.class, String.class, code));
    return engine.start("code", "w", "");
  }

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
        play(
            (ctx, _) ->
                ctx.all(List.of(after(ctx, 3, "a"), after(ctx, 1, "b"), after(ctx, 2, "c")))
                    + elapsed(ctx));

    assertThat(result).isEqualTo("[a, b, c] at PT3H");
  }

  @Test
  void all_throws_the_first_failure_as_soon_as_it_happens() {
    var result =
        play(
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
    assertThat(play((ctx, _) -> ctx.all(List.<Promise<String>>of()).toString())).isEqualTo("[]");
  }

  @Test
  void all_takes_branches_that_are_done_already() {
    var result =
        play(
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
        play(
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
        play(
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
        play(
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
        play(
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
        play(
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
        play(
            (ctx, _) -> {
              var done = after(ctx, 1, "done");
              done.await();
              return ctx.race(List.of(after(ctx, 5, "slow"), done)) + elapsed(ctx);
            });

    assertThat(result).isEqualTo("done at PT1H");
  }

  // ---- branches ---------------------------------------------------------------------------------

  @Test
  void a_promise_can_be_awaited_again_and_by_several_branches() {
    var result =
        play(
            (ctx, _) -> {
              var shared = after(ctx, 1, "x");
              var first = ctx.async(() -> shared.await() + "1");
              var second = ctx.async(() -> shared.await() + "2");
              return shared.isDone()
                  + ctx.all(List.of(first, second)).toString()
                  + shared.await()
                  + shared.isDone();
            });

    assertThat(result).isEqualTo("false[x1, x2]xtrue");
  }

  @Test
  void a_checked_exception_of_a_branch_is_the_cause_of_what_await_throws() {
    var result =
        play(
            (ctx, _) -> {
              var broken =
                  ctx.async(
                      () -> {
                        throw new IOException("disk");
                      });
              try {
                broken.await();
                return "nothing";
              } catch (BranchFailed e) {
                return e.getCause().toString();
              }
            });

    assertThat(result).isEqualTo("java.io.IOException: disk");
  }

  @Test
  void a_failed_branch_that_nobody_awaits_fails_nothing() {
    var result =
        play(
            (ctx, _) -> {
              failingAfter(ctx, 1, "unheard");
              ctx.sleep(HOUR.multipliedBy(2));
              return "fine";
            });

    assertThat(result).isEqualTo("fine");
  }

  @Test
  void branches_within_branches_have_ids_in_the_order_of_their_turns() {
    play(
        (ctx, _) -> {
          var outer =
              IntStream.range(0, 2)
                  .mapToObj(
                      i ->
                          ctx.async(
                              () -> {
                                var inner =
                                    ctx.async(() -> ctx.run("inner", String.class, () -> "i" + i));
                                return ctx.run("outer", String.class, () -> "o" + i)
                                    + inner.await();
                              }))
                  .toList();
          ctx.run("main", () -> {});
          return ctx.all(outer).toString();
        });

    assertThat(events(engine, "w", "ActivityCompleted"))
        .extracting(e -> e.subject() + "=" + e.value())
        .containsExactlyInAnyOrder(
            "main:1=null", "outer:1=\"o0\"", "outer:2=\"o1\"", "inner:1=\"i0\"", "inner:2=\"i1\"");
  }

  @Test
  void a_thousand_branches_run_at_once_and_each_gets_its_own_result() {
    var together = new java.util.concurrent.Phaser(1_000);
    var result =
        play(
            (ctx, _) -> {
              var branches = new ArrayList<Promise<Integer>>();
              for (int i = 0; i < 1_000; i++) {
                int number = i;
                branches.add(
                    ctx.async(
                        () ->
                            ctx.run(
                                "square",
                                Integer.class,
                                () -> {
                                  together.arriveAndAwaitAdvance();
                                  return number * number;
                                })));
              }
              return ctx.all(branches).toString();
            });

    assertThat(result)
        .isEqualTo(IntStream.range(0, 1_000).mapToObj(i -> i * i).toList().toString());
    assertThat(events(engine, "w", "ActivityCompleted")).hasSize(1_000);
  }

  @Test
  void a_workflow_may_return_while_branches_still_wait() {
    var result =
        play(
            (ctx, _) -> {
              after(ctx, 1, "never");
              ctx.run("quick", () -> {});
              return "done";
            });

    assertThat(result).isEqualTo("done");
    assertThat(outline(engine.history("w")))
        .containsExactly(
            "WorkflowStarted code",
            "TimerScheduled sleep:1",
            "ActivityCompleted quick:1",
            "WorkflowCompleted");
  }

  @Test
  void a_branch_begins_when_its_maker_first_waits() {
    var begun = new Calls();
    var result =
        play(
            (ctx, _) -> {
              ctx.async(() -> begun.returning("branch", 1));
              return begun.all().toString();
            });

    assertThat(result).isEqualTo("[]");
    assertThat(begun.all()).isEmpty();
  }

  @Test
  void what_a_branch_still_does_after_the_end_is_never_recorded() throws Exception {
    var gate = world.gate();
    var handle =
        begin(
            (ctx, _) -> {
              ctx.async(
                  () ->
                      ctx.run(
                          "held",
                          String.class,
                          () -> {
                            gate.pass();
                            return "late";
                          }));
              ctx.run("quick", gate::awaitReached);
              return "done";
            });
    assertThat(result(handle)).isEqualTo("done");
    var history = handle.history();

    gate.open();
    Await.until("the run is out of memory", () -> engine.runsInMemory() == 0);

    assertThat(handle.history()).isEqualTo(history);
    assertThat(outline(history)).doesNotContain("ActivityCompleted held:1");
  }
}
