package dev.reprise.verification.life;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.HistoryEvent;
import dev.reprise.ParentClose;
import dev.reprise.Workflow;
import dev.reprise.testkit.CrashEverywhere;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;

/**
 * Children of runs that have nothing to do after starting them: they are started all the same, and
 * each run hears of its own.
 */
@RepriseTest
class ChildStartCrashTest {
  private static final ChildOptions ALONE =
      ChildOptions.defaults().onParentClose(ParentClose.ABANDON);

  /** Ends at once. */
  public static final class Leaf implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      return in;
    }
  }

  /** Starts a child as the last thing it does. */
  public static final class Starter implements Workflow<Integer, String> {
    @Override
    public String run(Context ctx, Integer runs) {
      ctx.start(Leaf.class, "leaf " + runs, ALONE.id("leaf-" + runs));
      return runs == 1 ? "started" : ctx.continueAsNew(runs - 1);
    }
  }

  /** Ends long after who has started it, so that nobody hears of it. */
  public static final class LateLeaf implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      ctx.sleep(Duration.ofMinutes(1));
      return in;
    }
  }

  /** The same with such a child. */
  public static final class LateStarter implements Workflow<Integer, String> {
    @Override
    public String run(Context ctx, Integer number) {
      ctx.start(LateLeaf.class, "leaf " + number, ALONE.id("leaf-" + number));
      return "started";
    }
  }

  @BeforeEach
  void engine(TestEngine engine) {
    engine.workflow(new Starter()).workflow(new Leaf());
    engine.workflow(new LateStarter()).workflow(new LateLeaf());
  }

  @CrashEverywhere(onlyOutcomes = true)
  void by_a_run_that_completes(TestEngine engine) {
    assertThat(engine.start(LateStarter.class, "s", 1)).completedWith("started");
    assertThat(engine.handle(LateLeaf.class, "leaf-1")).completedWith("leaf 1");
  }

  /** Each run is told the end of its own child, though both call it the same. */
  @RepeatedTest(20)
  void a_run_does_not_take_the_end_of_a_child_of_the_run_before_for_its_own(TestEngine engine) {
    assertThat(engine.start(Starter.class, "s", 5)).completedWith("started");

    for (var run : engine.runs("s")) {
      var events = engine.history("s", run.runId());
      var started = events.stream().filter(event -> event.type().equals("ChildStarted"));
      var values = started.map(HistoryEvent::value).toList();
      assertThat(events)
          .filteredOn(event -> event.type().equals("ChildCompleted"))
          .allSatisfy(event -> assertThat(values).contains(event.value()));
    }
  }
}
