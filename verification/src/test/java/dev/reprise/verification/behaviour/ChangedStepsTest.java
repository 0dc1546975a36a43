package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.Change.WORD;
import static dev.reprise.verification.behaviour.Change.end;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.Workflow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps that were added, removed, renamed, reordered, or are called with something else. */
@ParameterizedClass(name = "{0}")
@EnumSource
class ChangedStepsTest {
  @RegisterExtension final World world;
  private final Change change;

  ChangedStepsTest(StoreKind kind) {
    this.world = new World(kind);
    this.change = new Change(world);
  }

  /** The old code; the line is that of the first call whose completion the new code misses. */
  private Workflow<String, String> steps(int missed, String... names) {
    return (ctx, _) -> {
      for (int i = 0; i < names.length; i++) {
        var name = names[i];
        if (i == missed) {
          ctx.run(change.recorded.at(name), String.class, () -> change.act(name));
        } else {
          ctx.run(name, String.class, () -> change.act(name));
        }
      }
      return end(ctx);
    };
  }

  private Workflow<String, String> changedSteps(String... names) {
    return (ctx, _) -> {
      for (var name : names) {
        ctx.run(change.now.at(name), String.class, () -> change.act(name));
      }
      return end(ctx);
    };
  }

  @Test
  void an_added_step_is_detected() {
    change.assertBothSides(
        change.blockedBy(steps(1, "a", "b"), changedSteps("a", "new", "b")),
        "ActivityCompleted activity b (b:1)",
        "activity new (new:1)");
  }

  @Test
  void a_removed_step_is_detected() {
    change.assertBothSides(
        change.blockedBy(steps(0, "a", "b"), changedSteps("b")),
        "ActivityCompleted activity a (a:1)",
        "activity b (b:1)");
  }

  @Test
  void a_renamed_step_is_detected() {
    change.assertBothSides(
        change.blockedBy(steps(0, "a"), changedSteps("renamed")),
        "ActivityCompleted activity a (a:1)",
        "activity renamed (renamed:1)");
  }

  @Test
  void reordered_steps_are_detected() {
    change.assertBothSides(
        change.blockedBy(steps(0, "a", "b"), changedSteps("b", "a")),
        "ActivityCompleted activity a (a:1)",
        "activity b (b:1)");
  }

  @Test
  void a_step_called_once_less_is_detected() {
    change.assertBothSides(
        change.blockedBy(steps(1, "a", "a", "b"), changedSteps("a", "b")),
        "ActivityCompleted activity a (a:2)",
        "activity b (b:1)");
  }

  @Test
  void a_changed_argument_is_detected() {
    var reason =
        change.blockedBy(
            (ctx, _) -> {
              ctx.run(change::act, change.recorded.at("x"));
              return end(ctx);
            },
            (ctx, _) -> {
              ctx.run(change::act, change.now.at("y"));
              return end(ctx);
            });

    change.assertBothSides(
        reason,
        "ActivityCompleted activity Change.act (Change.act:1)",
        "activity Change.act (Change.act:1)");
    assertThat(reason).contains("the arguments are not the same: argument 1: \"x\", now \"y\"\n");
  }

  @Test
  void a_changed_id_is_detected() {
    var first = ActivityOptions.defaults().id("first");
    var second = ActivityOptions.defaults().id("second");

    change.assertBothSides(
        change.blockedBy(
            (ctx, _) -> {
              ctx.with(first).run(change.recorded.at("a"), () -> change.act("a"));
              return end(ctx);
            },
            (ctx, _) -> {
              ctx.with(second).run(change.now.at("a"), () -> change.act("a"));
              return end(ctx);
            }),
        "ActivityCompleted activity a (first)",
        "activity a (second)");
  }

  @Test
  void another_name_under_the_same_id_is_detected() {
    var same = ActivityOptions.defaults().id("same");

    change.assertBothSides(
        change.blockedBy(
            (ctx, _) -> {
              ctx.with(same).run(change.recorded.at("a"), () -> change.act("a"));
              return end(ctx);
            },
            (ctx, _) -> {
              ctx.with(same).run(change.now.at("b"), () -> change.act("b"));
              return end(ctx);
            }),
        "ActivityCompleted activity a (same)",
        "activity b (same)");
  }

  // ---- branches ---------------------------------------------------------------------------------

  private void branch(Context ctx, String name) {
    ctx.async(() -> ctx.run(name, String.class, () -> change.act(name))).await();
  }

  @Test
  void a_missing_branch_is_detected() {
    change.assertBothSides(
        change.blockedBy(
            (ctx, _) -> {
              branch(ctx, "a");
              ctx.async(
                      () -> {
                        ctx.run(change.recorded.at("b"), () -> change.act("b"));
                        return "";
                      })
                  .await();
              return end(ctx);
            },
            (ctx, _) -> {
              branch(ctx, "a");
              return "walked " + ctx.receive(change.now.at(WORD));
            }),
        "ActivityCompleted activity b (b:1)",
        "signal 'word' (receive word:1)");
  }

  @Test
  void a_branch_with_another_step_is_detected_while_others_wait() {
    change.assertBothSides(
        change.blockedBy(
            (ctx, _) -> {
              var other = ctx.async(() -> ctx.receive(WORD));
              ctx.run(change.recorded.at("a"), () -> change.act("a"));
              return "walked " + other.await();
            },
            (ctx, _) -> {
              var other = ctx.async(() -> ctx.receive(WORD));
              ctx.run(change.now.at("b"), () -> change.act("b"));
              return "walked " + other.await();
            }),
        "ActivityCompleted activity a (a:1)",
        "activity b (b:1)");
  }
}
