package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Steps;
import dev.reprise.TypeRef;
import dev.reprise.Workflow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Activities as workflow code calls them, and what is recorded of them. */
class RunStepsTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);

  @RegisterExtension final Theatre theatre = new Theatre();

  private final Till till = new Till();

  /** What the steps do. */
  static final class Till {
    final List<String> done = new CopyOnWriteArrayList<>();

    String none() {
      return "none";
    }

    String one(String a) {
      return a;
    }

    String two(String a, int b) {
      return a + b;
    }

    String three(String a, int b, boolean c) {
      return a + b + c;
    }

    void doNone() {
      done.add("none");
    }

    void doOne(String a) {
      done.add(a);
    }

    void doTwo(String a, int b) {
      done.add(a + b);
    }

    void doThree(String a, int b, boolean c) {
      done.add(a + b + c);
    }
  }

  private Workflow<String, String> allShapes(Function<Context, Steps> through) {
    return (ctx, _) -> {
      var steps = through.apply(ctx);
      steps.run(till::doNone);
      steps.run(till::doOne, "a");
      steps.run(till::doTwo, "a", 2);
      steps.run(till::doThree, "a", 2, true);
      steps.run("action", () -> till.done.add("action"));
      return steps.run(till::none)
          + steps.run(till::one, "A")
          + steps.run(till::two, "B", 2)
          + steps.run(till::three, "C", 3, true)
          + steps.run("label", String.class, () -> "D")
          + steps.run("list", new TypeRef<List<String>>() {}, () -> List.of("E"));
    };
  }

  @Test
  void steps_of_every_shape_run_once_and_their_results_are_the_same_after_a_replay() {
    theatre.play(allShapes(ctx -> ctx));

    assertThat(theatre.result()).isEqualTo("\"noneAB2C3trueD[E]\"");
    assertThat(till.done).containsExactly("none", "a", "a2", "a2true", "action");
    assertThat(theatre.outline())
        .containsExactly(
            "WorkflowStarted code",
            "ActivityCompleted Till.doNone:1",
            "ActivityCompleted Till.doOne:1",
            "ActivityCompleted Till.doTwo:1",
            "ActivityCompleted Till.doThree:1",
            "ActivityCompleted action:1",
            "ActivityCompleted Till.none:1",
            "ActivityCompleted Till.one:1",
            "ActivityCompleted Till.two:1",
            "ActivityCompleted Till.three:1",
            "ActivityCompleted label:1",
            "ActivityCompleted list:1",
            "WorkflowCompleted");
  }

  @Test
  void recorded_steps_give_their_recorded_results() {
    theatre.start();
    theatre.load(
        (ctx, in) -> {
          allShapes(c -> c).run(ctx, in);
          return ctx.receive(WORD);
        });
    var done = List.copyOf(till.done);

    theatre.load(
        (ctx, in) -> {
          var all = allShapes(c -> c.with(ActivityOptions.defaults())).run(ctx, in);
          return all + ctx.receive(WORD);
        });
    theatre.signal("word", "!");

    assertThat(theatre.result()).isEqualTo("\"noneAB2C3trueD[E]!\"");
    assertThat(till.done).isEqualTo(done);
  }

  @Test
  void a_label_says_something() {
    theatre.play(
        (ctx, _) -> {
          assertThatThrownBy(() -> ctx.run(" ", () -> {})).hasMessageStartingWith("R112");
          assertThatThrownBy(() -> ctx.run(" ", String.class, () -> ""))
              .hasMessageStartingWith("R112");
          return "";
        });

    assertThat(theatre.result()).isEqualTo("\"\"");
  }

  // ---- proxies ----------------------------------------------------------------------------------

  interface Bank {
    String pay(String what) throws IOException;

    void close();
  }

  private static final class Branch implements Bank {
    @Override
    public String pay(String what) throws IOException {
      if (what.isEmpty()) throw new IOException("nothing to pay");
      return "paid " + what;
    }

    @Override
    public void close() {
      throw new AssertionError("never closed");
    }
  }

  @Test
  void calls_of_a_proxy_are_steps() {
    theatre.with(new Branch());
    theatre.play(
        (ctx, _) -> {
          var bank = ctx.activities(Bank.class, ActivityOptions.defaults());
          return bank.pay("rent");
        });

    assertThat(theatre.result()).isEqualTo("\"paid rent\"");
    assertThat(theatre.outline()).contains("ActivityCompleted Bank.pay:1");
  }

  @Test
  void a_proxy_throws_what_its_activity_threw() {
    theatre.with(new Branch());
    var once = ActivityOptions.defaults().retry(RetryPolicy.none());
    theatre.play(
        (ctx, _) -> {
          var bank = ctx.activities(Bank.class, once);
          var failures = new ArrayList<String>();
          for (Steps.Action call : List.<Steps.Action>of(() -> bank.pay(""), bank::close)) {
            try {
              call.run();
            } catch (ActivityFailed e) {
              failures.add(e.failure().type() + " " + e.failureMessage());
            }
          }
          return String.join(", ", failures);
        });

    assertThat(theatre.result())
        .isEqualTo("\"java.io.IOException nothing to pay, java.lang.AssertionError never closed\"");
  }

  @Test
  void a_proxy_is_an_object_and_that_is_no_step() {
    theatre.with(new Branch());
    theatre.play(
        (ctx, _) -> {
          var bank = ctx.activities(Bank.class, ActivityOptions.defaults());
          var other = ctx.activities(Bank.class, ActivityOptions.defaults());
          var same = bank;
          return bank.equals(same)
              + " "
              + bank.equals(other)
              + " "
              + (bank.hashCode() == System.identityHashCode(bank))
              + " "
              + bank;
        });

    assertThat(theatre.result())
        .isEqualTo("\"true false true activities of " + Bank.class.getName() + "\"");
    assertThat(theatre.outline()).containsExactly("WorkflowStarted code", "WorkflowCompleted");
  }
}
