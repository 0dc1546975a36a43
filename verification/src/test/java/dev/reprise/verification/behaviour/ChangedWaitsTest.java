package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.Change.end;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Signal;
import dev.reprise.TimedOut;
import dev.reprise.Workflow;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Sleeps and limits of another length, and waits where there was something else. */
@ParameterizedClass(name = "{0}")
@EnumSource
class ChangedWaitsTest {
  private static final Signal<String> OTHER = Signal.of("other", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world;
  private final Change change;

  ChangedWaitsTest(StoreKind kind) {
    this.world = new World(kind);
    this.change = new Change(world);
  }

  private Workflow<String, String> sleeping(Duration duration) {
    return (ctx, _) -> {
      ctx.sleep(change.recorded.at(duration));
      return end(ctx);
    };
  }

  private Workflow<String, String> nowSleeping(Duration duration) {
    return (ctx, _) -> {
      ctx.sleep(change.now.at(duration));
      return end(ctx);
    };
  }

  private Workflow<String, String> step() {
    return (ctx, _) -> {
      ctx.run(change.recorded.at("a"), () -> change.act("a"));
      return end(ctx);
    };
  }

  private Workflow<String, String> nowStep() {
    return (ctx, _) -> {
      ctx.run(change.now.at("a"), () -> change.act("a"));
      return end(ctx);
    };
  }

  @Test
  void a_changed_sleep_is_detected() {
    change.assertBothSides(
        change.blockedBy(sleeping(HOUR), nowSleeping(HOUR.plusNanos(1_000))),
        "TimerScheduled sleep:1, due 2030-01-01T01:00:00Z",
        "sleeps for PT1H0.000001S");
  }

  @Test
  void a_sleep_until_another_time_is_detected() {
    change.assertBothSides(
        change.blockedBy(
            (ctx, _) -> {
              ctx.sleepUntil(change.recorded.at(World.START.plus(HOUR)));
              return end(ctx);
            },
            (ctx, _) -> {
              ctx.sleepUntil(change.now.at(World.START.plus(HOUR.multipliedBy(2))));
              return end(ctx);
            }),
        "TimerScheduled sleep:1, due 2030-01-01T01:00:00Z",
        "sleeps until 2030-01-01T02:00:00Z");
  }

  @Test
  void an_added_sleep_is_detected() {
    change.assertBothSides(
        change.blockedBy(
            step(),
            (ctx, _) -> {
              ctx.sleep(change.now.at(HOUR));
              ctx.run("a", () -> change.act("a"));
              return end(ctx);
            }),
        "ActivityCompleted activity a (a:1)",
        "sleeps for PT1H");
  }

  @Test
  void a_removed_sleep_is_detected() {
    change.assertBothSides(
        change.blockedBy(
            sleeping(HOUR), (ctx, _) -> "walked " + ctx.receive(change.now.at(Change.WORD))),
        "TimerScheduled sleep:1, due 2030-01-01T01:00:00Z",
        "signal 'word'");
  }

  @Test
  void a_step_instead_of_a_sleep_is_detected() {
    change.assertBothSides(
        change.blockedBy(sleeping(HOUR), nowStep()),
        "TimerScheduled sleep:1, due 2030-01-01T01:00:00Z",
        "activity a (a:1)");
  }

  @Test
  void a_sleep_instead_of_a_step_is_detected() {
    change.assertBothSides(
        change.blockedBy(step(), nowSleeping(HOUR)),
        "ActivityCompleted activity a (a:1)",
        "sleeps for PT1H");
  }

  // ---- limits -----------------------------------------------------------------------------------

  @Test
  void a_changed_limit_of_a_receive_is_detected_when_its_end_is_replayed() {
    var reason =
        change.blockedBy(
            (ctx, _) -> {
              ctx.receive(OTHER, change.recorded.at(HOUR));
              return end(ctx);
            },
            (ctx, _) -> {
              ctx.receive(OTHER, change.now.at(HOUR.multipliedBy(2)));
              return end(ctx);
            });

    change.assertBothSides(
        reason,
        "WaitTimedOut receive other:1, due 2030-01-01T01:00:00Z",
        "signal 'other' (receive other:1), due 2030-01-01T02:00:00Z");
    assertThat(reason).contains("the times are not the same");
  }

  @Test
  void a_receive_of_another_signal_is_detected_when_its_end_is_replayed() {
    change.assertBothSides(
        change.blockedBy(
            (ctx, _) -> {
              ctx.receive(OTHER, change.recorded.at(HOUR));
              return end(ctx);
            },
            (ctx, _) -> {
              ctx.receive(Signal.of("third", String.class), change.now.at(HOUR));
              return end(ctx);
            }),
        "WaitTimedOut receive other:1",
        "signal 'third' (receive third:1)");
  }

  @Test
  void a_changed_limit_of_a_condition_is_detected_when_its_end_is_replayed() {
    change.assertBothSides(
        change.blockedBy(
            (ctx, _) -> {
              ctx.await(change.recorded.at(HOUR), () -> false);
              return end(ctx);
            },
            (ctx, _) -> {
              ctx.await(change.now.at(HOUR.dividedBy(2)), () -> false);
              return end(ctx);
            }),
        "WaitTimedOut await:1, due 2030-01-01T01:00:00Z",
        "a condition (await:1), due 2030-01-01T00:30:00Z");
  }

  @Test
  void a_changed_limit_of_a_branch_is_detected_when_its_end_is_replayed() {
    change.assertBothSides(
        change.blockedBy(
            (ctx, _) -> {
              try {
                return ctx.withTimeout(change.recorded.at(HOUR), () -> ctx.receive(OTHER));
              } catch (TimedOut e) {
                return end(ctx);
              }
            },
            (ctx, _) -> {
              try {
                return ctx.withTimeout(change.now.at(HOUR.dividedBy(2)), () -> ctx.receive(OTHER));
              } catch (TimedOut e) {
                return end(ctx);
              }
            }),
        "WaitTimedOut timeout:1, due 2030-01-01T01:00:00Z",
        "a branch (timeout:1), due 2030-01-01T00:30:00Z");
  }
}
