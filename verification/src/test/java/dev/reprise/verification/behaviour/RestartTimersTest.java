package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.START;
import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.events;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Sleeps and retry delays belong to the run, not to the engine that has it in memory. */
@ParameterizedClass(name = "{0}")
@EnumSource
class RestartTimersTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @RegisterExtension final World world;
  private final Calls calls = new Calls();

  RestartTimersTest(StoreKind kind) {
    this.world = new World(kind);
  }

  // ---- sleeps -----------------------------------------------------------------------------------

  private void registerSleeper(Reprise reprise) {
    reprise.workflow(
        "sleeper",
        String.class,
        String.class,
        (ctx, in) -> {
          ctx.run("before", () -> calls.add("before"));
          ctx.sleep(HOUR);
          ctx.run("after", () -> calls.add("after"));
          return in;
        });
  }

  @Test
  void a_sleep_begun_before_a_crash_ends_when_it_was_due_and_not_later() {
    var first = world.open(this::registerSleeper);
    first.start("sleeper", "w", "x");
    awaitEvents(first, "w", "TimerScheduled", 1);
    world.time().advance(MINUTE.multipliedBy(20));
    world.crash();
    world.time().advance(MINUTE.multipliedBy(20));

    var second = world.open(this::registerSleeper);
    world.time().advanceTo(START.plus(HOUR));

    assertThat(result(second, "w")).isEqualTo("x");
    var fired = events(second, "w", "TimerFired").getFirst();
    assertThat(fired.recordedAt()).isEqualTo(START.plus(HOUR));
    assertThat(calls.all()).containsExactly("before", "after");
  }

  @Test
  void a_sleep_that_was_over_while_no_engine_ran_ends_at_once() {
    var first = world.open(this::registerSleeper);
    first.start("sleeper", "w", "x");
    awaitEvents(first, "w", "TimerScheduled", 1);
    world.shutDown();
    world.time().advance(HOUR.multipliedBy(10));

    var second = world.open(this::registerSleeper);

    assertThat(result(second, "w")).isEqualTo("x");
  }

  @Test
  void a_run_that_sleeps_is_not_loaded_before_it_is_due() {
    var first = world.open(this::registerSleeper);
    first.start("sleeper", "w", "x");
    awaitEvents(first, "w", "TimerScheduled", 1);
    world.crash();

    var second = world.open(this::registerSleeper);
    var other = second.start("sleeper", "other", "y");
    awaitEvents(second, "other", "TimerScheduled", 1);

    assertThat(second.runsInMemory()).isEqualTo(1);
    assertThat(second.describe("w").status()).isEqualTo(Status.RUNNING);
    world.time().advance(HOUR);
    assertThat(result(other)).isEqualTo("y");
    assertThat(result(second, "w")).isEqualTo("x");
  }

  @Test
  void a_thousand_sleepers_all_wake_after_a_crash() {
    var first = world.open(this::registerSleeper);
    var ids = IntStream.range(0, 1_000).mapToObj(i -> "w" + i).toList();
    ids.parallelStream().forEach(id -> first.start("sleeper", id, id));
    Await.until("all asleep", () -> ids.stream().allMatch(id -> sleeps(first, id)));
    world.crash();

    var second = world.open(this::registerSleeper);
    world.time().advance(HOUR);

    for (var id : ids) assertThat(result(second, id)).isEqualTo(id);
    assertThat(calls.of("before")).isEqualTo(1_000);
    assertThat(calls.of("after")).isEqualTo(1_000);
  }

  private static boolean sleeps(Engine engine, String id) {
    return !events(engine, id, "TimerScheduled").isEmpty();
  }

  // ---- retries ----------------------------------------------------------------------------------

  /** Fails until the given attempt, and notes when each attempt was made. */
  private String flaky(int goodAttempt) {
    calls.add(Duration.between(START, world.time().now()).toString());
    if (calls.all().size() < goodAttempt) throw new IllegalStateException("not yet");
    return "good";
  }

  private void registerFlaky(Reprise reprise, RetryPolicy policy, int goodAttempt) {
    var options = ActivityOptions.defaults().retry(policy);
    reprise.workflow(
        "flaky",
        String.class,
        String.class,
        (ctx, _) -> {
          try {
            return ctx.with(options).run("flaky", String.class, () -> flaky(goodAttempt));
          } catch (ActivityFailed e) {
            return "failed after " + e.attempts();
          }
        });
  }

  @Test
  void the_delay_of_a_retry_is_durable() {
    var policy = RetryPolicy.fixed(HOUR, 5);
    var first = world.open(r -> registerFlaky(r, policy, 2));
    first.start("flaky", "w", "");
    awaitEvents(first, "w", "ActivityRetryScheduled", 1);
    world.time().advance(MINUTE.multipliedBy(30));
    world.crash();

    var second = world.open(r -> registerFlaky(r, policy, 2));
    world.time().advance(MINUTE.multipliedBy(29));
    world.time().advance(MINUTE);

    assertThat(result(second, "w")).isEqualTo("good");
    assertThat(calls.all()).containsExactly("PT0S", "PT1H");
  }

  @Test
  void the_count_of_attempts_survives_a_crash_after_each_of_them() {
    var policy = RetryPolicy.exponential(HOUR, HOUR.multipliedBy(10), 4);
    var engine = world.open(r -> registerFlaky(r, policy, 99));
    engine.start("flaky", "w", "");
    for (int attempt = 1; attempt <= 3; attempt++) {
      awaitEvents(engine, "w", "ActivityRetryScheduled", attempt);
      world.crash();
      world.time().advance(HOUR.multipliedBy(1L << (attempt - 1)));
      engine = world.open(r -> registerFlaky(r, policy, 99));
    }

    assertThat(result(engine, "w")).isEqualTo("failed after 4");
    assertThat(calls.all()).containsExactly("PT0S", "PT1H", "PT3H", "PT7H");
    assertThat(outline(engine.history("w")))
        .containsExactly(
            "WorkflowStarted flaky",
            "ActivityRetryScheduled flaky:1",
            "ActivityRetryScheduled flaky:1",
            "ActivityRetryScheduled flaky:1",
            "ActivityFailed flaky:1",
            "WorkflowCompleted");
  }

  @Test
  void the_longest_time_of_retrying_counts_from_the_call_and_not_from_the_restart() {
    var policy = RetryPolicy.fixed(HOUR, 0).maxDuration(Duration.ofMinutes(150));
    var engine = world.open(r -> registerFlaky(r, policy, 99));
    engine.start("flaky", "w", "");
    for (int attempt = 1; attempt <= 2; attempt++) {
      awaitEvents(engine, "w", "ActivityRetryScheduled", attempt);
      world.crash();
      world.time().advance(HOUR);
      engine = world.open(r -> registerFlaky(r, policy, 99));
    }

    assertThat(result(engine, "w")).isEqualTo("failed after 3");
  }

  @Test
  void each_failed_attempt_is_recorded_with_its_error() {
    var engine = world.open(r -> registerFlaky(r, RetryPolicy.fixed(HOUR, 3), 2));
    engine.start("flaky", "w", "");

    awaitEvents(engine, "w", "ActivityRetryScheduled", 1);

    assertThat(events(engine, "w", "ActivityRetryScheduled").getFirst().attributes())
        .contains("\"attempt\":1", "java.lang.IllegalStateException", "not yet")
        .contains("\"due\":\"" + START.plus(HOUR) + "\"");
  }

  // ---- both -------------------------------------------------------------------------------------

  private String sleepBesideRetries(Context ctx, Duration sleep) {
    var options = ActivityOptions.defaults().retry(RetryPolicy.fixed(HOUR, 5));
    var step = ctx.async(() -> ctx.with(options).run("flaky", String.class, () -> flaky(3)));
    ctx.sleep(sleep);
    var slept = Duration.between(START, ctx.now());
    return step.await() + " " + slept;
  }

  @Test
  void a_retry_never_ends_a_sleep() {
    var longSleep = HOUR.multipliedBy(3);
    var engine =
        world.open(
            r ->
                r.workflow(
                    "both",
                    String.class,
                    String.class,
                    (ctx, _) -> sleepBesideRetries(ctx, longSleep)));
    var handle = engine.start("both", "w", "");

    assertThat(world.resultInTime(handle)).isEqualTo("good PT3H");
    assertThat(events(engine, "w", "TimerScheduled")).hasSize(1);
    assertThat(List.copyOf(calls.all())).containsExactly("PT0S", "PT1H", "PT2H");
  }

  @Test
  void a_sleep_never_begins_a_retry() {
    var engine =
        world.open(
            r ->
                r.workflow(
                    "both",
                    String.class,
                    String.class,
                    (ctx, _) -> sleepBesideRetries(ctx, MINUTE)));
    var handle = engine.start("both", "w", "");

    assertThat(world.resultInTime(handle)).isEqualTo("good PT1M");
    assertThat(calls.all()).containsExactly("PT0S", "PT1H", "PT2H");
  }
}
