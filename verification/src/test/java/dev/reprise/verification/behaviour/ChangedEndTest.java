package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.Change.end;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ListQuery;
import dev.reprise.Status;
import dev.reprise.Workflow;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Code that ends where its history goes on, and code that hides the difference from itself. */
@ParameterizedClass(name = "{0}")
@EnumSource
class ChangedEndTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world;
  private final Change change;

  ChangedEndTest(StoreKind kind) {
    this.world = new World(kind);
    this.change = new Change(world);
  }

  private Workflow<String, String> steps() {
    return (ctx, _) -> {
      ctx.run("a", () -> change.act("a"));
      ctx.run(change.recorded.at("b"), () -> change.act("b"));
      return end(ctx);
    };
  }

  private void assertEnded(String reason, String how) {
    assertThat(reason)
        .startsWith("R101")
        .contains("ActivityCompleted activity b (b:1) at " + change.recorded)
        .contains("the code now:  " + how);
  }

  @Test
  void code_that_returns_early_is_detected() {
    var reason =
        change.blockedBy(
            steps(),
            (ctx, _) -> {
              ctx.run("a", () -> change.act("a"));
              return "early";
            });

    assertEnded(reason, "returns");
  }

  @Test
  void code_that_throws_early_is_detected() {
    var reason =
        change.blockedBy(
            steps(),
            (ctx, _) -> {
              ctx.run("a", () -> change.act("a"));
              throw new IOException("no more");
            });

    assertEnded(reason, "fails with java.io.IOException: no more");
  }

  @Test
  void code_that_returns_before_a_sleep_is_detected() {
    var reason =
        change.blockedBy(
            (ctx, _) -> {
              ctx.sleep(change.recorded.at(HOUR));
              return end(ctx);
            },
            (_, _) -> "early");

    assertThat(reason)
        .contains("TimerScheduled sleep:1, due 2030-01-01T01:00:00Z at " + change.recorded)
        .contains("the code now:  returns");
  }

  @Test
  void a_branch_that_goes_on_does_not_hide_the_end() {
    var reason =
        change.blockedBy(
            steps(),
            (ctx, _) -> {
              ctx.async(() -> ctx.receive(Change.WORD));
              ctx.run("a", () -> change.act("a"));
              return "early";
            });

    assertEnded(reason, "returns");
  }

  @Test
  void code_that_catches_everything_cannot_hide_the_difference() {
    var reason =
        change.blockedBy(
            (ctx, _) -> {
              ctx.sleep(change.recorded.at(HOUR));
              return end(ctx);
            },
            (ctx, _) -> {
              try {
                ctx.sleep(change.now.at(HOUR.multipliedBy(2)));
              } catch (RuntimeException e) {
                ctx.run("instead", () -> change.act("instead"));
              }
              return end(ctx);
            });

    change.assertBothSides(
        reason, "TimerScheduled sleep:1, due 2030-01-01T01:00:00Z", "sleeps for PT2H");
  }

  @Test
  void a_branch_that_nobody_awaits_cannot_hide_the_difference() {
    var reason =
        change.blockedBy(
            (ctx, _) -> {
              ctx.async(
                  () -> {
                    ctx.sleep(change.recorded.at(HOUR));
                    return "";
                  });
              return end(ctx);
            },
            (ctx, _) -> {
              ctx.async(
                  () -> {
                    ctx.sleep(change.now.at(HOUR.multipliedBy(2)));
                    return "";
                  });
              return end(ctx);
            });

    change.assertBothSides(
        reason, "TimerScheduled sleep:1, due 2030-01-01T01:00:00Z", "sleeps for PT2H");
  }

  @Test
  void a_difference_shows_even_if_nobody_asks_for_the_run() {
    change.record(
        (ctx, _) -> {
          ctx.run("a", () -> change.act("a"));
          ctx.sleep(HOUR);
          return end(ctx);
        });
    var engine = change.open((ctx, _) -> end(ctx));
    engine.signal("w", Change.WORD, "go");

    World.awaitStatus(engine, "w", Status.BLOCKED);

    assertThat(engine.list(ListQuery.all().with(Status.BLOCKED)))
        .singleElement()
        .satisfies(run -> assertThat(run.blockedBy()).startsWith("R101"));
  }

  @Test
  void code_that_only_looks_different_goes_on() {
    change.record(
        (ctx, _) -> {
          ctx.run("a", () -> change.act("a"));
          ctx.sleep(HOUR);
          return end(ctx);
        });
    var engine =
        change.open(
            (ctx, _) -> {
              var name = "a";
              var unused = ctx.uuid() + ctx.workflowId() + ctx.now();
              ctx.await(() -> !unused.isEmpty());

              ctx.run(name, () -> change.act("never"));
              ctx.sleep(Duration.ofMinutes(60));
              return "elsewhere " + end(ctx);
            });
    engine.signal("w", Change.WORD, "go");

    assertThat(result(engine, "w")).isEqualTo("elsewhere walked go");
    assertThat(change.calls.all()).containsExactly("a");
  }
}
