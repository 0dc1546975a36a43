package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the context gives to deterministic code for free: the same each time the code runs. */
class ReplayedValuesTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final String WORKFLOW = "replayed-values";

  @RegisterExtension final World world = new World(StoreKind.MEMORY);

  /** What the code saw, the first time and after a crash. */
  private <T> List<T> seen(Function<Context, T> code) {
    var seen = new ArrayList<T>();
    Workflow<String, String> workflow =
        (ctx, _) -> {
          var value = code.apply(ctx);
          ctx.run("after", () -> {});
          seen.add(value);
          return ctx.receive(WORD);
        };
    var first = world.open(r -> r.workflow(WORKFLOW, String.class, String.class, workflow));
    world.settle(first.start(WORKFLOW, "w", ""));
    world.crash();
    var second = world.open(r -> r.workflow(WORKFLOW, String.class, String.class, workflow));
    second.signal("w", WORD, "done");
    result(second, "w");
    assertThat(seen).hasSize(2);
    return seen;
  }

  @Test
  void random_numbers_are_the_same_when_the_code_runs_again() {
    var seen =
        seen(
            ctx -> {
              var random = ctx.random();
              var first = random.ints(5).boxed().toList();
              ctx.run("between", () -> {});
              return List.of(first, random.nextGaussian(), ctx.random().nextInt(1_000), ctx.uuid());
            });

    assertThat(seen.get(1)).isEqualTo(seen.get(0));
  }

  @Test
  void branches_draw_the_same_numbers_in_the_order_of_their_turns() {
    var seen =
        seen(
            ctx ->
                ctx.all(
                    IntStream.range(0, 10)
                        .mapToObj(
                            i ->
                                ctx.async(
                                    () -> {
                                      ctx.run("step", () -> {});
                                      return ctx.random().nextLong();
                                    }))
                        .toList()));

    assertThat(seen.get(1)).isEqualTo(seen.get(0)).doesNotHaveDuplicates();
  }

  @Test
  void uuids_are_random_ones_and_differ_from_run_to_run() {
    var seen = new ArrayList<UUID>();
    var engine =
        world.open(
            r ->
                r.workflow(
                    WORKFLOW,
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      for (int i = 0; i < 100; i++) seen.add(ctx.uuid());
                      return "";
                    }));
    result(engine.start(WORKFLOW, "w1", ""));
    result(engine.start(WORKFLOW, "w2", ""));

    assertThat(new HashSet<>(seen)).hasSize(200);
    assertThat(seen).allSatisfy(uuid -> assertThat(uuid.version()).isEqualTo(4));
    assertThat(seen).allSatisfy(uuid -> assertThat(uuid.variant()).isEqualTo(2));
  }

  @Test
  void the_ids_of_the_workflow_and_the_run_stay() {
    var seen = seen(ctx -> ctx.workflowId() + " " + ctx.runId());

    assertThat(seen.get(1)).isEqualTo(seen.get(0)).startsWith("w ");
  }

  @Test
  void the_code_knows_whether_it_only_catches_up() {
    var seen = seen(Context::replaying);

    assertThat(seen).containsExactly(false, true);
  }

  @Test
  void code_deeper_in_the_stack_finds_the_context() {
    var seen =
        seen(
            ctx -> {
              var inBranch = ctx.async(() -> Context.current() == ctx);
              return List.of(Context.current() == ctx, inBranch.await());
            });

    assertThat(seen).allSatisfy(same -> assertThat(same).containsExactly(true, true));
  }

  // ---- logging ----------------------------------------------------------------------------------

  private static String text(String line) {
    return line.replaceFirst(".*run\\.id=\\S+ ", "");
  }

  @Test
  void the_logger_is_silent_while_the_code_only_catches_up() {
    Workflow<String, String> code =
        (ctx, _) -> {
          var log = ctx.logger();
          log.log(System.Logger.Level.INFO, "begins");
          ctx.run("step", () -> {});
          log.log(System.Logger.Level.DEBUG, () -> "step done");
          ctx.run("last", () -> {});
          var word = ctx.receive(WORD);
          log.log(System.Logger.Level.WARNING, "heard {0}", word);
          ctx.receive(WORD);
          log.log(System.Logger.Level.INFO, "ends");
          return "";
        };
    try (var log = new LogLines(WORKFLOW)) {
      var first = world.open(r -> r.workflow(WORKFLOW, String.class, String.class, code));
      var handle = first.start(WORKFLOW, "w", "");
      world.settle(handle);
      first.evict("w");
      Await.until("the run is out of memory", () -> first.runsInMemory() == 0);
      handle.signal(WORD, "a");
      world.settle(handle);
      world.crash();
      var second = world.open(r -> r.workflow(WORKFLOW, String.class, String.class, code));
      second.signal("w", WORD, "b");
      result(second, "w");

      var lines = log.with("workflow.id=w").stream().map(ReplayedValuesTest::text).toList();
      assertThat(lines)
          .as("logged once each, but for the line after the last event before the crash")
          .containsSubsequence("begins", "step done", "heard a", "ends")
          .containsOnlyOnce("begins", "step done", "ends");
    }
  }
}
