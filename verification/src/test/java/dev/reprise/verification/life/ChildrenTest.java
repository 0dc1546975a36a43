package dev.reprise.verification.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ChildFailed;
import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.HistoryEvent;
import dev.reprise.ParentClose;
import dev.reprise.Promise;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.WorkflowFailed;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workflows that start workflows. */
@RepriseTest
class ChildrenTest {
  private static final Signal<String> GO = Signal.of("go", String.class);

  /** Doubles, waits for a signal, or fails. */
  public static final class Child implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      if (in.equals("fail")) throw new IllegalStateException("child failed");
      if (in.equals("wait")) return ctx.receive(GO);
      ctx.sleep(Duration.ofHours(1));
      return in + in;
    }
  }

  /** Has children in the way that its input says. */
  public static final class Parent implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String how) {
      return switch (how) {
        case "call" -> ctx.call(Child.class, "a");
        case "many" -> {
          var results = new ArrayList<Promise<String>>();
          for (var in : List.of("a", "b", "c")) results.add(ctx.start(Child.class, in).result());
          yield String.join(",", ctx.all(results));
        }
        case "fail" -> ctx.call(Child.class, "fail");
        case "signal" -> {
          var child = ctx.start(Child.class, "wait");
          child.signal(GO, "from the parent");
          yield child.result().await();
        }
        case "cancel" -> {
          var child = ctx.start(Child.class, "wait");
          child.cancel("not needed");
          try {
            yield child.result().await();
          } catch (ChildFailed e) {
            yield e.status() + " " + e.failure().message();
          }
        }
        case "in use" -> ctx.call(Child.class, "a", ChildOptions.defaults().id("taken"));
        default -> {
          var options = ChildOptions.defaults().onParentClose(ParentClose.valueOf(how));
          ctx.start(Child.class, "wait", options);
          yield "closed";
        }
      };
    }
  }

  /** Has a child of its own kind, until it is deep enough. */
  public static final class Generation implements Workflow<Integer, Integer> {
    @Override
    public Integer run(Context ctx, Integer left) {
      return left == 0 ? 0 : 1 + ctx.call(Generation.class, left - 1);
    }
  }

  @Test
  void children_of_children_need_no_ids_of_their_own_however_deep(TestEngine engine) {
    engine.workflow(new Generation());
    var run = engine.start(Generation.class, "root", 100);
    engine.crash();

    assertThat(run.result()).isEqualTo(100);
    assertThat(engine.count("workflow = 'Generation'")).isEqualTo(101);
    assertThat(engine.describe("root/Generation:1").parent()).isEqualTo("root");
  }

  @BeforeEach
  void engine(TestEngine engine) {
    engine.workflow(new Parent()).workflow(new Child());
  }

  @Test
  void a_call_waits_for_the_result(TestEngine engine) {
    var run = engine.start(Parent.class, "p", "call");

    assertThat(run.result()).isEqualTo("aa");
    assertThat(run.history())
        .extracting(HistoryEvent::type)
        .containsExactly("WorkflowStarted", "ChildStarted", "ChildCompleted", "WorkflowCompleted");
    assertThat(engine.describe("p/Child:1").parent()).isEqualTo("p");
  }

  @Test
  void many_children_run_side_by_side(TestEngine engine) {
    var run = engine.start(Parent.class, "p", "many");

    assertThat(run.result()).isEqualTo("aa,bb,cc");
    assertThat(run.describe().closed().orElseThrow())
        .isEqualTo(run.describe().startedAt().plus(Duration.ofHours(1)));
  }

  @Test
  void the_failure_of_a_child_is_the_parents_to_handle(TestEngine engine) {
    var run = engine.start(Parent.class, "p", "fail");

    assertThatThrownBy(run::result)
        .isInstanceOfSatisfying(
            WorkflowFailed.class, e -> assertThat(e.failure().is(ChildFailed.class)).isTrue())
        .hasMessageContaining("child failed");
  }

  @Test
  void a_child_gets_what_its_parent_sends_right_after_the_start(TestEngine engine) {
    assertThat(engine.start(Parent.class, "p", "signal").result()).isEqualTo("from the parent");
    assertThat(engine.start(Parent.class, "q", "cancel").result())
        .isEqualTo("CANCELLED not needed");
  }

  @Test
  void an_id_that_is_in_use_is_told(TestEngine engine) {
    engine.start(Child.class, "taken", "wait");
    var run = engine.start(Parent.class, "p", "in use");

    assertThatThrownBy(run::result).hasMessageContaining("R125").hasMessageContaining("taken");
    assertThat(engine.describe("taken").status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void a_parent_that_closes_takes_its_children_along_or_not(TestEngine engine) {
    for (var policy : ParentClose.values()) {
      assertThat(engine.start(Parent.class, policy.name(), policy.name()).result())
          .isEqualTo("closed");
    }
    engine.awaitQuiet();

    assertThat(engine.describe("CANCEL/Child:1").status()).isEqualTo(Status.CANCELLED);
    assertThat(engine.describe("TERMINATE/Child:1").status()).isEqualTo(Status.TERMINATED);
    assertThat(engine.describe("ABANDON/Child:1").status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void children_outlive_a_crash(TestEngine engine) {
    var run = engine.start(Parent.class, "p", "many");
    engine.advance(Duration.ofMinutes(5));
    engine.crash();

    assertThat(run.result()).isEqualTo("aa,bb,cc");
    assertThat(run.history())
        .extracting(HistoryEvent::type)
        .filteredOn("ChildCompleted"::equals)
        .hasSize(3);
  }
}
