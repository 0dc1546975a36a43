package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.events;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.BranchFailed;
import dev.reprise.Context;
import dev.reprise.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Branches of a workflow: their ids, their failures, and what becomes of them at its end. */
class BranchTest {
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

  @Test
  void a_promise_can_be_awaited_again_and_by_several_branches() {
    var result =
        world.play(
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
        world.play(
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
        world.play(
            (ctx, _) -> {
              failingAfter(ctx, 1, "unheard");
              ctx.sleep(HOUR.multipliedBy(2));
              return "fine";
            });

    assertThat(result).isEqualTo("fine");
  }

  @Test
  void branches_within_branches_have_ids_in_the_order_of_their_turns() {
    world.play(
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

    assertThat(events(world.engine(), "w", "ActivityCompleted"))
        .extracting(e -> e.subject() + "=" + e.value())
        .containsExactlyInAnyOrder(
            "main:1=null", "outer:1=\"o0\"", "outer:2=\"o1\"", "inner:1=\"i0\"", "inner:2=\"i1\"");
  }

  @Test
  void a_thousand_branches_run_at_once_and_each_gets_its_own_result() {
    var together = new java.util.concurrent.Phaser(1_000);
    var result =
        world.play(
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
    assertThat(events(world.engine(), "w", "ActivityCompleted")).hasSize(1_000);
  }

  @Test
  void a_workflow_may_return_while_branches_still_wait() {
    var result =
        world.play(
            (ctx, _) -> {
              after(ctx, 1, "never");
              ctx.run("quick", () -> {});
              return "done";
            });

    assertThat(result).isEqualTo("done");
    assertThat(outline(world.engine().history("w")))
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
        world.play(
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
        world.begin(
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
    Await.until("the run is out of memory", () -> world.engine().runsInMemory() == 0);

    assertThat(handle.history()).isEqualTo(history);
    assertThat(outline(history)).doesNotContain("ActivityCompleted held:1");
  }
}
