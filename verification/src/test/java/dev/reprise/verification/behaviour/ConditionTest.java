package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Waiting for the workflow's own variables. */
class ConditionTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world = new World(StoreKind.MEMORY);

  private static String elapsed(Context ctx) {
    return Duration.between(World.START, ctx.now()).toString();
  }

  @Test
  void a_condition_that_holds_does_not_wait() {
    assertThat(
            world.play(
                (ctx, _) -> {
                  ctx.await(() -> true);
                  return elapsed(ctx);
                }))
        .isEqualTo("PT0S");
  }

  @Test
  void a_condition_is_asked_after_each_step_of_a_branch() {
    var result =
        world.play(
            (ctx, _) -> {
              var count = new AtomicInteger();
              ctx.async(
                  () -> {
                    for (int i = 0; i < 5; i++) {
                      ctx.sleep(HOUR);
                      count.incrementAndGet();
                    }
                    return null;
                  });
              ctx.await(() -> count.get() == 3);
              return elapsed(ctx);
            });

    assertThat(result).isEqualTo("PT3H");
  }

  @Test
  void a_condition_made_true_by_the_first_lines_of_a_branch_is_noticed_at_once() {
    var result =
        world.play(
            (ctx, _) -> {
              var ready = new AtomicBoolean();
              ctx.async(
                  () -> {
                    ready.set(true);
                    ctx.sleep(HOUR);
                    return null;
                  });
              ctx.await(ready::get);
              return elapsed(ctx);
            });

    assertThat(result).isEqualTo("PT0S");
  }

  @Test
  void a_condition_made_true_by_another_that_waited_is_noticed() {
    var result =
        world.play(
            (ctx, _) -> {
              var steps = new ArrayList<String>();
              ctx.async(
                  () -> {
                    ctx.await(() -> steps.contains("b"));
                    steps.add("c");
                    ctx.sleep(HOUR);
                    return null;
                  });
              ctx.async(
                  () -> {
                    ctx.await(() -> steps.contains("a"));
                    steps.add("b");
                    ctx.sleep(HOUR);
                    return null;
                  });
              ctx.async(
                  () -> {
                    ctx.sleep(HOUR);
                    steps.add("a");
                    ctx.sleep(HOUR);
                    return null;
                  });
              ctx.await(() -> steps.contains("c"));
              return steps + elapsed(ctx);
            });

    assertThat(result).isEqualTo("[a, b, c]PT1H");
  }

  @Test
  void a_condition_with_a_limit_tells_whether_it_holds() {
    var result =
        world.play(
            (ctx, _) -> {
              var ready = new AtomicBoolean();
              ctx.async(
                  () -> {
                    ctx.sleep(HOUR.multipliedBy(3));
                    ready.set(true);
                    return null;
                  });
              boolean early = ctx.await(HOUR, ready::get);
              var first = elapsed(ctx);
              boolean late = ctx.await(HOUR.multipliedBy(5), ready::get);
              return early + first + late + elapsed(ctx);
            });

    assertThat(result).isEqualTo("falsePT1HtruePT3H");
  }

  @Test
  void a_condition_that_becomes_true_in_time_leaves_no_event() {
    var handle =
        world.begin(
            (ctx, _) -> {
              var words = new ArrayList<String>();
              ctx.async(() -> words.add(ctx.receive(WORD)));
              boolean came = ctx.await(HOUR, () -> !words.isEmpty());
              return came + words.toString();
            });
    world.settle(handle);
    handle.signal(WORD, "hello");

    assertThat(result(handle)).isEqualTo("true[hello]");
    assertThat(outline(handle.history()))
        .containsExactly("WorkflowStarted code", "SignalReceived word", "WorkflowCompleted");
  }

  @Test
  void a_condition_that_throws_ends_only_its_own_wait() {
    var result =
        world.play(
            (ctx, _) -> {
              var words = new ArrayList<String>();
              ctx.async(
                  () -> {
                    ctx.sleep(HOUR);
                    words.add("x");
                    ctx.sleep(HOUR);
                    return null;
                  });
              try {
                ctx.await(
                    () -> {
                      if (!words.isEmpty()) throw new IllegalStateException("broken");
                      return false;
                    });
              } catch (IllegalStateException e) {
                ctx.sleep(HOUR.multipliedBy(5)); // must not be ended by the condition left behind
              }
              return elapsed(ctx);
            });

    assertThat(result).isEqualTo("PT6H");
  }

  @Test
  void several_conditions_wait_beside_each_other_in_order() {
    var result =
        world.play(
            (ctx, _) -> {
              var count = new AtomicInteger();
              var order = new ArrayList<Integer>();
              for (int i = 3; i >= 1; i--) {
                int wanted = i;
                ctx.async(
                    () -> {
                      ctx.await(() -> count.get() >= wanted);
                      return order.add(wanted);
                    });
              }
              for (int i = 0; i < 3; i++) {
                ctx.sleep(HOUR);
                count.incrementAndGet();
              }
              ctx.await(() -> order.size() == 3);
              return order.toString();
            });

    assertThat(result).isEqualTo("[1, 2, 3]");
  }

  @Test
  void conditions_replay_as_they_ran() {
    Workflow<String, String> code =
        (ctx, _) -> {
          var words = new ArrayList<String>();
          ctx.async(
              () -> {
                while (true) words.add(ctx.receive(WORD));
              });
          ctx.await(() -> words.size() == 2);
          boolean more = ctx.await(HOUR, () -> words.size() == 3);
          ctx.await(() -> words.size() == 4);
          return words + " " + more;
        };
    var handle = world.begin(code);
    for (var word : List.of("a", "b")) handle.signal(WORD, word);
    world.time().advance(HOUR);
    World.awaitEvents(world.engine(), "w", "WaitTimedOut", 1);
    world.crash();

    var second = world.open(r -> r.workflow("code", String.class, String.class, code));
    for (var word : List.of("c", "d")) second.signal("w", WORD, word);

    assertThat(result(second, "w")).isEqualTo("[a, b, c, d] false");
  }
}
