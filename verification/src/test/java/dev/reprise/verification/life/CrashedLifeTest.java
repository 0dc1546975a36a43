package dev.reprise.verification.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityOptions;
import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.ParentClose;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowFailed;
import dev.reprise.testkit.CrashEverywhere;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Nothing of a workflow's life is lost, wherever its engine dies. */
@RepriseTest
class CrashedLifeTest {
  private static final Signal<String> GO = Signal.of("go", String.class);

  /** Waits for its parent. */
  public static final class Listener implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      return in + " " + ctx.receive(GO);
    }
  }

  /** Tells its child something at once. */
  public static final class Speaker implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      var child = ctx.start(Listener.class, in);
      child.signal(GO, "hears");
      return child.result().await();
    }
  }

  @CrashEverywhere
  void what_is_sent_to_a_child_at_once_arrives(TestEngine engine) {
    engine.workflow(new Speaker()).workflow(new Listener());
    var run = engine.start(Speaker.class, "s", "she");

    assertThat(run.result()).isEqualTo("she hears");
  }

  /** Leaves a child behind. */
  public static final class Leaver implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      var alone = ChildOptions.defaults().id("left").onParentClose(ParentClose.ABANDON);
      ctx.start(Listener.class, in, alone);
      return "gone";
    }
  }

  @CrashEverywhere
  void a_child_that_is_left_behind_is_started(TestEngine engine) {
    engine.workflow(new Leaver()).workflow(new Listener());
    var run = engine.start(Leaver.class, "l", "it");

    assertThat(run.result()).isEqualTo("gone");
    assertThat(engine.describe("left").status()).isEqualTo(Status.RUNNING);
  }

  /** Waits for signals, each in a run of its own that sleeps first. */
  public static final class Relay implements Workflow<Integer, String> {
    @Override
    public String run(Context ctx, Integer left) {
      ctx.sleep(Duration.ofMinutes(1));
      var word = ctx.receive(GO);
      return left == 0 ? word : ctx.continueAsNew(left - 1);
    }
  }

  @CrashEverywhere
  void signals_go_with_a_workflow_that_goes_on_and_first_does_something_else(TestEngine engine) {
    engine.workflow(new Relay());
    var run = engine.start(Relay.class, "r", 2);
    for (var word : List.of("one", "two", "three")) run.signal(GO, word, word);

    assertThat(run.result()).isEqualTo("three");
  }

  @CrashEverywhere
  void a_workflow_that_waits_goes_on_when_the_signal_comes(TestEngine engine) {
    engine.workflow(new Relay());
    var run = engine.start(Relay.class, "r", 1);
    engine.after(Duration.ofHours(1), () -> run.signal(GO, "one", "1"));
    engine.after(Duration.ofHours(2), () -> run.signal(GO, "two", "2"));

    assertThat(run.result()).isEqualTo("two");
  }

  /** Undoes three things; of these the last cannot be undone at first. */
  public static final class Saga implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      var once = ctx.with(ActivityOptions.defaults().retry(RetryPolicy.none()));
      for (var what : List.of("first", "second", "third")) once.compensate("undo", what);
      throw new IllegalStateException("no luck");
    }
  }

  @Test
  void what_could_not_be_undone_is_not_forgotten_by_the_next_engine(TestEngine engine) {
    var undone = new CopyOnWriteArrayList<String>();
    var broken = new boolean[] {true};
    engine
        .workflow(new Saga())
        .activity(
            "undo",
            String.class,
            what -> {
              if (what.equals("third") && broken[0]) throw new TerminalFailure("stuck");
              if (what.equals("second") && !undone.contains("crash")) {
                undone.add("crash");
                engine.crash();
              }
              undone.add(what);
            });
    var run = engine.start(Saga.class, "s", "x");

    assertThatThrownBy(run::result)
        .isInstanceOf(WorkflowBlocked.class)
        .hasMessageContaining("R132");
    assertThat(run.status()).isEqualTo(Status.COMPENSATION_FAILED);
    broken[0] = false;
    run.resume();

    assertThatThrownBy(run::result).isInstanceOf(WorkflowFailed.class);
    assertThat(undone).endsWith("second", "first", "third");
  }
}
