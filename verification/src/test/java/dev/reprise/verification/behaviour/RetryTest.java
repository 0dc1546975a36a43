package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.START;
import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.events;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Handle;
import dev.reprise.RetryPolicy;
import dev.reprise.engine.Engine;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.json.JsonMapper;

/** When attempts are made, how many, and how long one may take. */
class RetryTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @RegisterExtension final World world = new World(StoreKind.MEMORY);
  private final Calls calls = new Calls();
  private Engine engine;

  /** Runs an activity that fails until the given attempt. */
  private Handle<Object> begin(ActivityOptions options, int goodAttempt) {
    engine =
        world.open(
            r ->
                r.retry(RetryPolicy.fixed(SECOND, 2))
                    .workflow(
                        "code",
                        String.class,
                        String.class,
                        (ctx, _) -> {
                          try {
                            return ctx.with(options)
                                .run("flaky", String.class, () -> attempt(goodAttempt));
                          } catch (ActivityFailed e) {
                            return "failed after " + e.attempts();
                          }
                        }));
    return engine.start("code", "w", "");
  }

  private String attempt(int goodAttempt) {
    calls.add(Duration.between(START, world.time().now()).toString());
    if (calls.all().size() < goodAttempt) throw new IllegalStateException("no");
    return "good";
  }

  private String play(RetryPolicy policy, int goodAttempt) {
    var handle = begin(ActivityOptions.defaults().retry(policy), goodAttempt);
    return (String) world.resultInTime(handle);
  }

  @Test
  void delays_grow_by_the_factor_up_to_the_cap() {
    assertThat(play(RetryPolicy.defaults().attempts(9), 9)).isEqualTo("good");

    assertThat(calls.all())
        .containsExactly(
            "PT0S", "PT1S", "PT3S", "PT7S", "PT15S", "PT31S", "PT1M3S", "PT2M3S", "PT3M3S");
  }

  @Test
  void the_default_is_five_attempts() {
    assertThat(play(RetryPolicy.defaults(), 99)).isEqualTo("failed after 5");
    assertThat(calls.all()).containsExactly("PT0S", "PT1S", "PT3S", "PT7S", "PT15S");
  }

  @Test
  void one_attempt_means_none_is_repeated() {
    assertThat(play(RetryPolicy.none(), 99)).isEqualTo("failed after 1");
    assertThat(outline(engine.history("w"))).doesNotContain("ActivityRetryScheduled flaky:1");
  }

  @Test
  void no_limit_of_attempts_means_none() {
    assertThat(play(RetryPolicy.fixed(SECOND, 0), 200)).isEqualTo("good");
    assertThat(calls.all()).hasSize(200);
  }

  @Test
  void the_policy_of_the_engine_holds_where_the_call_says_nothing() {
    var handle = begin(ActivityOptions.defaults(), 99);

    assertThat(world.resultInTime(handle)).isEqualTo("failed after 2");
  }

  @Test
  void a_success_counts_its_attempts() {
    play(RetryPolicy.fixed(SECOND, 5), 3);

    assertThat(events(engine, "w", "ActivityCompleted").getFirst().attributes())
        .contains("\"attempts\":3");
  }

  @Test
  void no_attempt_begins_after_the_longest_time() {
    var policy = RetryPolicy.fixed(SECOND.multipliedBy(10), 0).maxDuration(SECOND.multipliedBy(25));

    assertThat(play(policy, 99)).isEqualTo("failed after 3");
    assertThat(calls.all()).containsExactly("PT0S", "PT10S", "PT20S");
  }

  @Test
  void an_attempt_may_begin_at_the_very_end_of_the_longest_time() {
    var policy = RetryPolicy.fixed(SECOND.multipliedBy(10), 0).maxDuration(SECOND.multipliedBy(20));

    assertThat(play(policy, 99)).isEqualTo("failed after 3");
  }

  @Test
  void delays_and_limits_without_end_are_possible() {
    var forever = Duration.ofSeconds(Long.MAX_VALUE);
    var policy = RetryPolicy.exponential(SECOND, forever, 4).maxDuration(forever);

    assertThat(play(policy, 4)).isEqualTo("good");
  }

  @Test
  void no_delay_is_possible() {
    assertThat(play(RetryPolicy.fixed(Duration.ZERO, 3), 3)).isEqualTo("good");
    assertThat(calls.all()).containsExactly("PT0S", "PT0S", "PT0S");
  }

  @Test
  void jitter_moves_the_delay_by_at_most_its_share() {
    var policy = RetryPolicy.fixed(SECOND.multipliedBy(100), 0).jitter(0.2);

    play(policy, 200);

    var delays =
        events(engine, "w", "ActivityRetryScheduled").stream()
            .map(e -> Duration.between(e.recordedAt(), due(e.attributes())))
            .toList();
    assertThat(delays)
        .allSatisfy(
            delay ->
                assertThat(delay).isBetween(SECOND.multipliedBy(80), SECOND.multipliedBy(120)));
    assertThat(delays).anyMatch(delay -> delay.compareTo(SECOND.multipliedBy(90)) < 0);
    assertThat(delays).anyMatch(delay -> delay.compareTo(SECOND.multipliedBy(110)) > 0);
  }

  private static Instant due(String attributes) {
    return Instant.parse(JsonMapper.shared().readTree(attributes).get("due").asString());
  }

  // ---- how long an attempt may take -------------------------------------------------------------

  @Test
  void an_attempt_that_takes_too_long_is_interrupted_and_counts_as_failed() throws Exception {
    var gate = world.gate();
    var interrupted = new CountDownLatch(1);
    var options =
        ActivityOptions.defaults()
            .timeout(SECOND.multipliedBy(5))
            .retry(RetryPolicy.fixed(SECOND, 2));
    engine =
        world.open(
            r ->
                r.workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, _) ->
                        ctx.with(options)
                            .run(
                                "slow",
                                String.class,
                                () -> {
                                  calls.add("attempt");
                                  if (calls.of("attempt") > 1) return "second";
                                  try {
                                    gate.pass();
                                  } catch (InterruptedException e) {
                                    interrupted.countDown();
                                    throw e;
                                  }
                                  return "first";
                                })));
    var handle = engine.start("code", "w", "");
    gate.awaitReached();
    letPass(SECOND.multipliedBy(5));
    awaitEvents(engine, "w", "ActivityRetryScheduled", 1);

    assertThat(world.resultInTime(handle)).isEqualTo("second");
    assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(events(engine, "w", "ActivityRetryScheduled").getFirst().attributes())
        .contains(TimeoutException.class.getName(), "no result within PT5S");
  }

  @Test
  void what_a_late_attempt_still_returns_is_ignored() throws Exception {
    var gate = world.gate();
    var late = new CountDownLatch(1);
    var options =
        ActivityOptions.defaults()
            .timeout(SECOND.multipliedBy(5))
            .retry(RetryPolicy.fixed(SECOND, 2));
    engine =
        world.open(
            r ->
                r.workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, _) ->
                        ctx.with(options)
                            .run(
                                "slow",
                                String.class,
                                () -> {
                                  calls.add("attempt");
                                  if (calls.of("attempt") > 1) {
                                    gate.open();
                                    late.await();
                                    return "second";
                                  }
                                  passUninterrupted(gate);
                                  late.countDown();
                                  return "late";
                                })));
    var handle = engine.start("code", "w", "");
    gate.awaitReached();
    letPass(SECOND.multipliedBy(5));
    awaitEvents(engine, "w", "ActivityRetryScheduled", 1);

    world.time().advance(SECOND);

    assertThat(result(handle)).isEqualTo("second");
    assertThat(events(engine, "w", "ActivityCompleted")).hasSize(1);
  }

  /** Waits until somebody is to be woken then, and moves the time there. */
  private void letPass(Duration limit) {
    var due = START.plus(limit);
    Await.until("an alarm", () -> world.time().nextAlarm().filter(due::equals).isPresent());
    world.time().advanceTo(due);
  }

  private static void passUninterrupted(Gate gate) {
    for (; ; ) {
      try {
        gate.pass();
        return;
      } catch (InterruptedException e) {
        // stubborn
      }
    }
  }

  @Test
  void a_limit_without_end_is_possible() {
    var options = ActivityOptions.defaults().timeout(Duration.ofSeconds(Long.MAX_VALUE));

    assertThat(result(begin(options, 1))).isEqualTo("good");
  }
}
