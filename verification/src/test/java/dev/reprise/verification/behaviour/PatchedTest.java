package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.Change.WORD;
import static dev.reprise.verification.behaviour.Change.end;
import static dev.reprise.verification.behaviour.World.events;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A change that is guarded: old runs keep the old way, new runs go the new way. */
@ParameterizedClass(name = "{0}")
@EnumSource
class PatchedTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world;
  private final Change change;

  PatchedTest(StoreKind kind) {
    this.world = new World(kind);
    this.change = new Change(world);
  }

  private void step(Context ctx, String name) {
    ctx.run(name, () -> change.act(name + " of " + ctx.workflowId()));
  }

  private String before(Context ctx) {
    step(ctx, "reserve");
    step(ctx, "charge");
    return end(ctx);
  }

  private String after(Context ctx) {
    step(ctx, "reserve");
    if (ctx.patched("fraud-check")) step(ctx, "check");
    step(ctx, "charge");
    return end(ctx);
  }

  @Test
  void old_runs_keep_the_old_way_and_new_runs_go_the_new_way_through_many_restarts() {
    change.record((ctx, _) -> before(ctx));
    Engine engine = change.open((ctx, _) -> after(ctx));
    world.settle(engine.start("code", "new", ""));
    for (int i = 0; i < 3; i++) {
      world.crash();
      engine = change.open((ctx, _) -> after(ctx));
    }
    engine.signal("w", WORD, "old");
    engine.signal("new", WORD, "new");

    assertThat(result(engine, "w")).isEqualTo("walked old");
    assertThat(result(engine, "new")).isEqualTo("walked new");
    assertThat(change.calls.all())
        .containsExactly(
            "reserve of w", "charge of w", "reserve of new", "check of new", "charge of new");
    assertThat(events(engine, "w", "PatchMarked")).isEmpty();
    assertThat(outline(engine.history("new")))
        .containsSubsequence(
            "ActivityCompleted reserve:1",
            "PatchMarked fraud-check",
            "ActivityCompleted check:1",
            "ActivityCompleted charge:1");
  }

  @Test
  void an_old_run_that_has_not_come_to_the_change_goes_the_new_way() {
    change.record(
        (ctx, _) -> {
          step(ctx, "reserve");
          return end(ctx);
        });
    Workflow<String, String> changed =
        (ctx, _) -> {
          step(ctx, "reserve");
          var result = end(ctx);
          if (ctx.patched("receipt")) step(ctx, "print");
          return result;
        };
    var engine = change.open(changed);
    engine.signal("w", WORD, "go");

    assertThat(result(engine, "w")).isEqualTo("walked go");
    assertThat(change.calls.all()).containsExactly("reserve of w", "print of w");
  }

  @Test
  void the_answer_is_the_same_each_time_it_is_asked_in_one_run() {
    change.record((ctx, _) -> loop(ctx, false));
    var engine = change.open((ctx, _) -> loop(ctx, true));
    for (int i = 0; i < 3; i++) engine.signal("w", WORD, "go");
    String answers = world.resultInTime(engine.handle("w", String.class));

    assertThat(answers).isEqualTo("[false, false, false]");
    assertThat(events(engine, "w", "PatchMarked")).isEmpty();
  }

  /** Passes the change once with the old code, and again later with the new code. */
  private static String loop(Context ctx, boolean asks) {
    var answers = new ArrayList<Boolean>();
    for (int i = 0; i < 3; i++) {
      answers.add(asks && ctx.patched("change"));
      ctx.sleep(HOUR);
      ctx.receive(WORD);
    }
    return answers.toString();
  }

  @Test
  void several_changes_are_told_apart() {
    change.record((ctx, _) -> before(ctx));
    var second = change.open((ctx, _) -> after(ctx));
    world.settle(second.start("code", "middle", ""));
    world.crash();
    Workflow<String, String> third =
        (ctx, _) -> {
          if (ctx.patched("greeting")) step(ctx, "greet");
          return after(ctx);
        };
    var engine = change.open(third);
    world.settle(engine.start("code", "latest", ""));
    world.crash();
    var last = change.open(third);
    for (var id : new String[] {"w", "middle", "latest"}) last.signal(id, WORD, id);

    assertThat(result(last, "w")).isEqualTo("walked w");
    assertThat(result(last, "middle")).isEqualTo("walked middle");
    assertThat(result(last, "latest")).isEqualTo("walked latest");
    assertThat(events(last, "w", "PatchMarked")).isEmpty();
    assertThat(events(last, "middle", "PatchMarked")).hasSize(1);
    assertThat(events(last, "latest", "PatchMarked")).hasSize(2);
  }

  @Test
  void a_guard_that_was_removed_is_detected() {
    var reason =
        change.blockedBy(
            (ctx, _) -> {
              step(ctx, "reserve");
              if (ctx.patched(change.recorded.at("fraud-check"))) step(ctx, "check");
              return end(ctx);
            },
            (ctx, _) -> {
              step(ctx, "reserve");
              ctx.run(change.now.at("check"), () -> change.act("check"));
              return end(ctx);
            });

    change.assertBothSides(reason, "PatchMarked fraud-check", "activity check (check:1)");
  }

  @Test
  void a_guard_of_another_change_is_detected() {
    var reason =
        change.blockedBy(
            (ctx, _) -> {
              if (ctx.patched(change.recorded.at("one"))) step(ctx, "check");
              return end(ctx);
            },
            (ctx, _) -> {
              if (ctx.patched("two")) step(ctx, "check");
              return "walked " + ctx.receive(change.now.at(WORD));
            });

    change.assertBothSides(reason, "PatchMarked one", "signal 'word'");
  }
}
