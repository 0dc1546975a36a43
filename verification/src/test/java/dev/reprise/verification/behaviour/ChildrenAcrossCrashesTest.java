package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ChildFailed;
import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.ListQuery;
import dev.reprise.ParentClose;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.WorkflowCancelled;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Children, continued runs and loops on each store, with crashes. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ChildrenAcrossCrashesTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);

  private final StoreKind kind;
  @RegisterExtension final World world;

  ChildrenAcrossCrashesTest(StoreKind kind) {
    this.kind = kind;
    this.world = new World(kind);
  }

  // ---- at any moment ----------------------------------------------------------------------------

  /** Two children, a run that goes on twice, a loop that is cut, and a word at the end. */
  private static void register(Reprise reprise, Calls calls) {
    reprise
        .loopLimit(4)
        .workflow(
            "parent",
            String.class,
            String.class,
            (ctx, in) -> {
              var rounds = ctx.start("rounds", 1, String.class, ChildOptions.defaults());
              var loop = ctx.start("loop", in, Integer.class, ChildOptions.defaults());
              return rounds.result().await() + loop.result().await() + ctx.receive(WORD);
            })
        .workflow(
            "rounds",
            Integer.class,
            String.class,
            (ctx, round) -> {
              ctx.run("round", () -> calls.add("round " + round));
              return round == 3 ? "r" + round + " " : ctx.continueAsNew(round + 1);
            })
        .workflow(
            "loop",
            String.class,
            Integer.class,
            (ctx, _) ->
                ctx.loop(
                    0,
                    turn -> {
                      if (turn == 9) return null;
                      ctx.run("turn", () -> calls.add("turn " + turn));
                      return turn + 1;
                    }));
  }

  @Test
  void a_crash_at_any_transition_loses_no_child_and_no_turn() throws Exception {
    boolean crashed = true;
    int moments = 0;
    for (; crashed; moments++) crashed = survivesCrashAt(moments);

    assertThat(moments).as("moments to crash at").isGreaterThan(10);
  }

  private boolean survivesCrashAt(int moment) throws Exception {
    var calls = new Calls();
    var seen = new AtomicInteger();
    Predicate<Transition> then = _ -> seen.getAndIncrement() == moment;
    try (var place = new World(kind)) {
      drive(place, place.openCrashingAt(then, r -> register(r, calls)));
      if (!place.hasCrashed()) return false;
      place.awaitCrash();

      var second = place.open(r -> register(r, calls));
      drive(place, second);

      assertThat(World.result(second, "p")).as("crashed at %d", moment).isEqualTo("r3 9go");
      assertThat(events(second, "p", "ChildCompleted")).hasSize(2);
      assertThat(events(second, "p", "SignalReceived")).hasSize(1);
      for (int turn = 0; turn < 9; turn++) {
        assertThat(calls.of("turn " + turn)).as("turn %d of %d", turn, moment).isBetween(1, 2);
      }
      assertThat(second.count("status = 'RUNNING'")).isZero();
      return true;
    }
  }

  private static void drive(World place, Engine engine) {
    try {
      var handle = engine.start("parent", "p", "");
      if (!handle.status().isClosed()) engine.signal("p", WORD, "go", "the only one");
      Await.until("the end", () -> place.hasCrashed() || handle.status().isClosed());
    } catch (RepriseException dead) {
      assertThat(dead.code()).isIn(ErrorCode.R122, ErrorCode.R119);
    }
  }

  // ---- one by one -------------------------------------------------------------------------------

  private String patient(Context ctx, String in) {
    return ctx.receive(WORD);
  }

  private Engine open() {
    return world.open(
        r ->
            r.workflow("child", String.class, String.class, this::patient)
                .workflow(
                    "parent",
                    String.class,
                    String.class,
                    (ctx, how) -> {
                      var options = ChildOptions.defaults().id("c-" + how);
                      if (how.startsWith("close ")) {
                        var policy = ParentClose.valueOf(how.substring("close ".length()));
                        ctx.start("child", "", String.class, options.onParentClose(policy));
                        return ctx.receive(WORD);
                      }
                      try {
                        return ctx.start("child", "", String.class, options).result().await();
                      } catch (ChildFailed e) {
                        return e.status() + " " + e.failure().message();
                      }
                    })
                .workflow(
                    "batch",
                    String.class,
                    String.class,
                    (ctx, sum) -> {
                      var next = sum + ctx.receive(WORD);
                      return next.endsWith(".") ? next : ctx.continueAsNew(next);
                    }));
  }

  @Test
  void a_parent_hears_of_every_end_of_its_child_also_across_a_crash() {
    var engine = open();
    engine.start("parent", "1", "cancel");
    engine.start("parent", "2", "terminate");
    engine.start("parent", "3", "word");
    for (var id : List.of("1", "2", "3")) awaitEvents(engine, id, "ChildStarted", 1);
    world.crash();
    var second = open();
    Await.until("all are started", () -> second.list(ListQuery.all()).size() == 6);
    second.cancel("c-cancel", "not needed");
    second.terminate("c-terminate", "fire");
    second.signal("c-word", WORD, "well");

    assertThat(World.result(second, "1")).isEqualTo("CANCELLED not needed");
    assertThat(World.result(second, "2")).isEqualTo("TERMINATED fire");
    assertThat(World.result(second, "3")).isEqualTo("well");
  }

  @Test
  void what_becomes_of_children_when_their_parent_ends_however_it_does() {
    var engine = open();
    for (var policy : ParentClose.values()) {
      var how = "close " + policy;
      var run = engine.start("parent", how, how);
      world.settle(run);
      awaitEvents(engine, "c-" + how, "WorkflowStarted", 1);
      run.terminate("fire");
    }

    awaitStatus(engine, "c-close CANCEL", Status.CANCELLED);
    awaitStatus(engine, "c-close TERMINATE", Status.TERMINATED);
    assertThat(engine.describe("c-close ABANDON").status()).isEqualTo(Status.RUNNING);
    assertThatThrownBy(() -> World.result(engine, "c-close CANCEL"))
        .isInstanceOfSatisfying(
            WorkflowCancelled.class,
            e -> assertThat(e.reason()).isEqualTo("its parent 'close CANCEL' has ended"));
  }

  @Test
  void a_cancelled_parent_cancels_its_child_and_both_end() {
    var engine = open();
    var run = engine.start("parent", "p", "x");
    world.settle(run);
    awaitEvents(engine, "c-x", "WorkflowStarted", 1);

    run.cancel("sold out");

    assertThatThrownBy(() -> World.result(run)).isInstanceOf(WorkflowCancelled.class);
    awaitStatus(engine, "c-x", Status.CANCELLED);
  }

  @Test
  void inputs_that_wait_go_on_with_the_workflow_in_their_order() {
    var run = open().start("batch", "b", "");
    world.settle(run);
    world.shutDown();
    world.open(r -> r.workflow("other", String.class, String.class, (_, in) -> in));
    for (int i = 0; i < 9; i++) world.engine().signal("b", WORD, "" + i);
    world.shutDown();

    var engine = open();
    engine.signal("b", WORD, ".");

    assertThat(World.result(engine, "b")).isEqualTo("012345678.");
    var runs = engine.runs("b");
    assertThat(runs).hasSize(10);
    assertThat(runs.stream().map(RunDescription::status).distinct())
        .containsExactly(Status.COMPLETED, Status.CONTINUED);
    var ids = new ArrayList<>(runs.stream().map(RunDescription::runId).toList());
    assertThat(ids).doesNotHaveDuplicates();
    assertThat(engine.history("b", ids.getLast()).getLast().type())
        .isEqualTo("WorkflowContinuedAsNew");
  }
}
