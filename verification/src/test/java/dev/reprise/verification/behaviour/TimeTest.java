package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.START;
import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.events;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.HistoryEvent;
import dev.reprise.Promise;
import dev.reprise.Status;
import dev.reprise.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Sleeps of every length, and the time that workflow code sees. */
@ParameterizedClass(name = "{0}")
@EnumSource
class TimeTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world;

  TimeTest(StoreKind kind) {
    this.world = new World(kind);
  }

  private static String elapsed(Context ctx) {
    return Duration.between(START, ctx.now()).toString();
  }

  // ---- lengths ----------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(strings = {"PT0.000000001S", "PT0.000001S", "PT0.0005S", "PT0.001S", "PT0.9999999S"})
  void a_sleep_below_a_second_is_not_cut_off(Duration length) {
    var handle =
        world.begin(
            (ctx, _) -> {
              ctx.sleep(length);
              return elapsed(ctx);
            });

    var slept = Duration.parse((String) world.resultInTime(handle));

    assertThat(slept).isGreaterThanOrEqualTo(length).isLessThan(length.plusNanos(1_000));
    assertThat(outline(handle.history())).contains("TimerFired sleep:1");
  }

  @ParameterizedTest
  @ValueSource(longs = {100, 1_000})
  void a_sleep_of_many_years_ends_after_them(long years) {
    var length = Duration.ofDays(365 * years);
    var handle =
        world.begin(
            (ctx, _) -> {
              ctx.sleep(length);
              return elapsed(ctx);
            });
    world.settle(handle);
    world.time().advance(length.minusSeconds(10));
    assertThat(handle.status()).isEqualTo(Status.RUNNING);

    assertThat(world.resultInTime(handle)).isEqualTo(length.toString());
  }

  @Test
  void a_sleep_without_end_is_accepted_and_wakes_nobody() {
    Workflow<String, String> code =
        (ctx, _) -> {
          ctx.sleep(Duration.ofSeconds(Long.MAX_VALUE));
          return "never";
        };
    world.settle(world.begin(code));
    world.crash();
    world.openWith(code);
    world.time().advance(Duration.ofDays(365 * 5_000));

    assertThat(world.engine().describe("w").status()).isEqualTo(Status.RUNNING);
    assertThat(outline(world.engine().history("w")))
        .containsExactly("WorkflowStarted code", "TimerScheduled sleep:1");
  }

  @Test
  void a_sleep_of_nothing_or_less_is_no_sleep() {
    var handle =
        world.begin(
            (ctx, _) -> {
              ctx.sleep(Duration.ZERO);
              ctx.sleep(HOUR.negated());
              ctx.sleep(Duration.ofSeconds(Long.MIN_VALUE));
              return elapsed(ctx);
            });

    assertThat(result(handle)).isEqualTo("PT0S");
    assertThat(outline(handle.history()))
        .containsExactly("WorkflowStarted code", "WorkflowCompleted");
  }

  // ---- until ------------------------------------------------------------------------------------

  @Test
  void to_sleep_until_a_time_in_the_past_returns_at_once_and_leaves_no_event() {
    var handle =
        world.begin(
            (ctx, _) -> {
              ctx.sleepUntil(START.minus(HOUR));
              ctx.sleepUntil(START);
              ctx.sleepUntil(Instant.MIN);
              return elapsed(ctx);
            });

    assertThat(result(handle)).isEqualTo("PT0S");
    assertThat(outline(handle.history()))
        .containsExactly("WorkflowStarted code", "WorkflowCompleted");
  }

  @Test
  void to_sleep_until_a_time_ends_then_and_not_before() {
    var handle =
        world.begin(
            (ctx, _) -> {
              ctx.sleepUntil(START.plusNanos(1));
              var first = elapsed(ctx);
              ctx.sleepUntil(START.plus(HOUR));
              ctx.sleepUntil(START.plus(HOUR));
              return first + " " + elapsed(ctx);
            });

    assertThat(world.resultInTime(handle)).isEqualTo("PT0.000001S PT1H");
    assertThat(events(world.engine(), "w", "TimerScheduled")).hasSize(2);
  }

  @Test
  void to_sleep_until_the_end_of_time_is_accepted() {
    var handle =
        world.begin(
            (ctx, _) -> {
              ctx.sleepUntil(Instant.MAX);
              return "never";
            });

    world.settle(handle);
    assertThat(handle.status()).isEqualTo(Status.RUNNING);
  }

  // ---- never early ------------------------------------------------------------------------------

  @Test
  void of_thousands_of_sleeps_none_fires_early_and_all_fire() {
    var random = new Random(7);
    var sleeps = new ArrayList<Duration>();
    for (int i = 0; i < 2_000; i++) sleeps.add(Duration.ofNanos(random.nextLong(50_000_000)));
    world.onSystemTime();
    var handle =
        world.begin(
            (ctx, _) -> {
              var branches = new ArrayList<Promise<Integer>>();
              for (var sleep : sleeps) {
                branches.add(
                    ctx.async(
                        () -> {
                          var before = ctx.now();
                          ctx.sleep(sleep);
                          return Duration.between(before, ctx.now()).compareTo(sleep);
                        }));
              }
              return String.valueOf(ctx.all(branches).stream().filter(early -> early < 0).count());
            });

    assertThat(result(handle)).as("sleeps that were too short for the code").isEqualTo("0");
    assertNoneEarly(handle.history(), 2_000);
  }

  private static void assertNoneEarly(List<HistoryEvent> history, int count) {
    var due = new HashMap<String, Instant>();
    int fired = 0;
    for (var event : history) {
      if (event.type().equals("TimerScheduled")) due.put(event.subject(), due(event));
      if (!event.type().equals("TimerFired")) continue;
      fired++;
      assertThat(event.recordedAt()).isAfterOrEqualTo(due.get(event.subject()));
    }
    assertThat(fired).isEqualTo(count);
    assertThat(history).extracting(HistoryEvent::recordedAt).isSorted();
  }

  private static Instant due(HistoryEvent event) {
    return Instant.parse(JsonMapper.shared().readTree(event.attributes()).get("due").asString());
  }

  @Test
  void sleeps_fire_in_the_order_in_which_they_are_due() {
    var handle =
        world.begin(
            (ctx, _) -> {
              var order = new ArrayList<Integer>();
              var branches = new ArrayList<Promise<Boolean>>();
              for (int hours : List.of(5, 1, 4, 2, 3)) {
                branches.add(
                    ctx.async(
                        () -> {
                          ctx.sleep(HOUR.multipliedBy(hours));
                          return order.add(hours);
                        }));
              }
              ctx.all(branches);
              return order.toString();
            });
    world.settle(handle);

    world.time().advance(HOUR.multipliedBy(10));

    assertThat(result(handle)).isEqualTo("[1, 2, 3, 4, 5]");
  }

  // ---- the time of the code ---------------------------------------------------------------------

  @Test
  void the_time_moves_with_the_history_and_not_with_the_clock() {
    var handle =
        world.begin(
            (ctx, _) -> {
              var before = ctx.now();
              ctx.run("slow", () -> world.time().advance(HOUR));
              var after = ctx.now();
              world.time().advance(HOUR); // while the code runs
              return Duration.between(before, after) + " " + Duration.between(after, ctx.now());
            });

    assertThat(result(handle)).isEqualTo("PT1H PT0S");
  }

  @Test
  void the_time_is_the_same_when_the_code_runs_again() {
    var seen = new ArrayList<List<Instant>>();
    Workflow<String, String> code =
        (ctx, _) -> {
          var times = new ArrayList<Instant>();
          seen.add(times);
          times.add(ctx.now());
          ctx.sleep(HOUR);
          times.add(ctx.now());
          ctx.run("step", () -> {});
          times.add(ctx.now());
          ctx.sleep(HOUR);
          return "";
        };
    var first = world.begin(code);
    world.settle(first);
    world.time().advance(HOUR.plusMinutes(5));
    awaitEvents(world.engine(), "w", "TimerScheduled", 2);
    world.crash();
    world.begin(code);

    world.resultInTime(world.engine().handle("w", String.class));

    assertThat(seen).hasSize(2);
    assertThat(seen.get(1)).isEqualTo(seen.get(0)).hasSize(3);
  }
}
