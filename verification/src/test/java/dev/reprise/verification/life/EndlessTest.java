package dev.reprise.verification.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.HistoryEvent;
import dev.reprise.Key;
import dev.reprise.RunDescription;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Workflows that go on for ever. */
@RepriseTest
class EndlessTest {
  private static final Signal<Integer> ADD = Signal.of("add", Integer.class);
  private static final Key<Integer> SUM = Key.of("sum", Integer.class);

  /** Adds up what it is sent, ten at a time, for so many rounds. */
  public static final class Adder implements Workflow<Adder.State, Integer> {
    /** So far. */
    public record State(int sum, int rounds) {}

    @Override
    public Integer run(Context ctx, State state) {
      int sum = state.sum();
      for (int i = 0; i < 3; i++) sum += ctx.receive(ADD);
      if (state.rounds() == 1) return sum;
      return ctx.continueAsNew(new State(sum, state.rounds() - 1));
    }
  }

  @Test
  void a_workflow_goes_on_with_a_new_run_and_loses_no_signal(TestEngine engine) {
    engine.workflow(new Adder());
    var run = engine.start(Adder.class, "a", new Adder.State(0, 4));
    for (int i = 1; i <= 12; i++) run.signal(ADD, i);

    assertThat(run.result()).isEqualTo(78);
    assertThat(engine.runs("a"))
        .extracting(RunDescription::status)
        .containsExactly(Status.COMPLETED, Status.CONTINUED, Status.CONTINUED, Status.CONTINUED);
    assertThat(run.history()).hasSizeLessThan(10);
  }

  @Test
  void a_message_that_is_sent_again_after_that_is_not_taken_twice(TestEngine engine) {
    engine.workflow(new Adder());
    var run = engine.start(Adder.class, "a", new Adder.State(0, 2));
    for (int i = 1; i <= 3; i++) run.signal(ADD, i, "m" + i);
    engine.awaitQuiet();
    for (int i = 1; i <= 6; i++) run.signal(ADD, i, "m" + i);

    assertThat(run.result()).isEqualTo(21);
  }

  /** Sleeps before it receives, three times. */
  public static final class Busy implements Workflow<Integer, Integer> {
    @Override
    public Integer run(Context ctx, Integer sum) {
      ctx.sleep(Duration.ofMinutes(1));
      int next = sum + 100 + ctx.receive(ADD);
      return next > 300 ? next : ctx.continueAsNew(next);
    }
  }

  @Test
  void signals_that_wait_do_not_get_in_the_way_of_what_the_new_run_does_first(TestEngine engine) {
    engine.workflow(new Busy());
    var run = engine.start(Busy.class, "b", 0);
    for (int i = 1; i <= 3; i++) run.signal(ADD, i);

    assertThat(run.result()).isEqualTo(306);
  }

  /** Counts, one step a turn. */
  public static final class Counter implements Workflow<Integer, String> {
    private final List<String> steps;

    public Counter(List<String> steps) {
      this.steps = steps;
    }

    /** Between two turns. */
    public record State(int turn, int sum) {}

    @Override
    public String run(Context ctx, Integer turns) {
      var name = ctx.run("name", String.class, () -> "counter");
      var token = ctx.uuid();
      var last =
          ctx.loop(
              new State(0, 0),
              state -> {
                if (state.turn() == turns) return null;
                int n = state.turn();
                var id = ctx.uuid();
                ctx.run("step", () -> steps.add(name + " " + n + " " + token + " " + id));
                if (ctx.patched("more")) ctx.publish(SUM, state.sum());
                return new State(n + 1, state.sum() + n);
              });
      return name + " " + last.sum();
    }
  }

  @Test
  void a_loop_cuts_its_history_by_itself(TestEngine engine) {
    var steps = new CopyOnWriteArrayList<String>();
    engine.workflow(new Counter(steps)).set(e -> e.loopLimit(50));
    var run = engine.start(Counter.class, "c", 1_000);

    assertThat(run.result()).isEqualTo("counter 499500");
    assertThat(steps).hasSize(1_000);
    assertThat(new HashSet<>(steps)).hasSize(1_000);
    assertThat(steps.stream().map(step -> step.split(" ")[2]).distinct()).hasSize(1);
    assertThat(steps.stream().map(step -> step.split(" ")[3]).distinct()).hasSize(1_000);
    assertThat(engine.runs("c").size()).isGreaterThan(10);
    for (var each : engine.runs("c")) {
      assertThat(engine.history("c", each.runId())).hasSizeLessThan(60);
    }
    assertThat(engine.published("c", SUM)).contains(498501);
  }

  /** Waits for signals in a loop. */
  public static final class Listener implements Workflow<String, Integer> {
    /** What it has heard. */
    public record Heard(int sum, int count) {}

    @Override
    public Integer run(Context ctx, String in) {
      return ctx.loop(
              new Heard(0, 0),
              heard -> {
                if (heard.count() == 40) return null;
                ctx.sleep(Duration.ofMinutes(1));
                return new Heard(heard.sum() + ctx.receive(ADD), heard.count() + 1);
              })
          .sum();
    }
  }

  @Test
  void a_loop_that_is_cut_loses_no_signal_and_takes_none_twice(TestEngine engine) {
    engine.workflow(new Listener()).set(e -> e.loopLimit(7));
    var run = engine.start(Listener.class, "l", "x");
    for (int i = 1; i <= 20; i++) run.signal(ADD, i);
    engine.advance(Duration.ofMinutes(10));
    engine.crash();
    for (int i = 21; i <= 40; i++) run.signal(ADD, i);

    assertThat(run.result()).isEqualTo(820);
    assertThat(run.history()).extracting(HistoryEvent::type).contains("LoopSnapshot");
  }
}
