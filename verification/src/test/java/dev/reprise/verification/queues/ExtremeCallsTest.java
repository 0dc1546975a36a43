package dev.reprise.verification.queues;

import static dev.reprise.verification.queues.Laboratory.LONG;
import static dev.reprise.verification.queues.Laboratory.NUMBERS;
import static dev.reprise.verification.queues.Laboratory.SHORT;
import static dev.reprise.verification.queues.Laboratory.durations;
import static dev.reprise.verification.queues.Laboratory.made;
import static dev.reprise.verification.queues.Laboratory.onQueue;
import static dev.reprise.verification.queues.Laboratory.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Fork;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.Update;
import dev.reprise.WorkerOptions;
import dev.reprise.engine.Engine;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@link ExtremeOptionsTest} is about, of times, undoing, retry policies and callers. */
@ParameterizedClass(name = "{0}")
@EnumSource
class ExtremeCallsTest {
  private static final Update<String, String> ASK = Update.of("ask", String.class, String.class);
  private static final RetryPolicy AT_FOURTH = policy(Duration.ofMillis(1), 1, 4);

  private final Database database;
  private final Laboratory lab = new Laboratory();
  @TempDir Path folder;
  private Engine engine;

  ExtremeCallsTest(Database database) {
    this.database = database;
  }

  @BeforeEach
  void open() {
    engine = lab.open(database, folder);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static RetryPolicy policy(Duration initial, double factor, int attempts) {
    return new RetryPolicy(initial, factor, Duration.ofMillis(2), attempts, 0, null, Set.of());
  }

  // ---- times ------------------------------------------------------------------------------------

  private static Function<Context, String> until(Instant then) {
    return ctx -> {
      ctx.sleepUntil(then);
      return step(ctx);
    };
  }

  @Test
  void a_sleep_may_end_at_any_time() {
    for (var past : List.of(Instant.MIN, Instant.EPOCH)) {
      var id = lab.begin(engine, until(past));
      assertThat((Object) Hall.result(engine, id)).isEqualTo("did " + id);
    }

    var asleep = new ArrayList<String>();
    for (var future : List.of(Instant.MAX, Instant.MAX.minusNanos(1))) {
      asleep.add(lab.begin(engine, until(future)));
    }

    for (var id : asleep) Hall.awaitStatus(engine, id, Status.RUNNING);
    lab.checkGoesOn(engine);
  }

  // ---- undoing ----------------------------------------------------------------------------------

  private static Function<Context, String> undone(ActivityOptions options) {
    return ctx -> {
      ctx.with(options).compensate("Work.undo", ctx.workflowId());
      throw new IllegalStateException("undo it");
    };
  }

  @Test
  void what_undoes_may_have_any_limits() {
    var options = new LinkedHashMap<String, Function<Duration, ActivityOptions>>();
    var four = ActivityOptions.defaults().retry(AT_FOURTH);
    options.put("timeout", four::timeout);
    options.put("retries until", d -> four.retry(AT_FOURTH.maxDuration(d)));
    options.put("longest delay", d -> four.retry(RetryPolicy.exponential(millis(), d, 4)));

    options.forEach(
        (name, option) -> {
          for (var value : SHORT.values()) {
            made(option, value).ifPresent(made -> lab.begin(engine, undone(made)));
          }
          for (var value : LONG.values()) {
            var id = lab.begin(engine, undone(made(option, value).orElseThrow()));
            Hall.awaitStatus(engine, id, Status.FAILED);
            assertThat(lab.calls(id)).as("%s %s", name, value).isEqualTo(4);
          }
        });
    lab.checkGoesOn(engine);
  }

  private static Duration millis() {
    return Duration.ofMillis(1);
  }

  @Test
  void delays_of_what_undoes_may_grow_by_any_factor() {
    for (double factor : List.of(1.0, 1e9, Double.MAX_VALUE)) {
      for (var initial : List.of(Duration.ZERO, millis(), Laboratory.LONG.get("for ever"))) {
        var retry = policy(initial, factor, 4);
        var id = lab.begin(engine, undone(ActivityOptions.defaults().retry(retry)));
        Hall.awaitStatus(engine, id, Status.FAILED);
        assertThat(lab.calls(id)).isEqualTo(4);
      }
    }
    lab.checkGoesOn(engine);
  }

  // ---- policies of workers and engines ----------------------------------------------------------

  private static Stream<RetryPolicy> policies() {
    return Stream.of(
        policy(Duration.ZERO, Double.MAX_VALUE, 0),
        policy(millis(), Double.MAX_VALUE, Integer.MAX_VALUE),
        policy(LONG.get("for ever"), Double.MAX_VALUE, 4),
        policy(LONG.get("for ever"), 1, 4).jitter(1).maxDuration(LONG.get("for ever")));
  }

  private static Function<Context, String> atFourth(ActivityOptions options) {
    return ctx -> ctx.activities(Laboratory.Work.class, options).workAtFourth(ctx.workflowId());
  }

  @Test
  void a_worker_may_have_any_policy() {
    policies()
        .forEach(
            policy -> {
              try (var _ = engine.worker("other", WorkerOptions.concurrency(1).retry(policy))) {
                var id = lab.begin(engine, atFourth(ActivityOptions.onQueue("other")));
                assertThat((Object) Hall.result(engine, id)).isEqualTo("did " + id);
              }
            });
    lab.checkGoesOn(engine);
  }

  @Test
  void an_engine_may_have_any_policy() {
    policies()
        .forEach(
            policy -> {
              engine.close();
              engine = lab.setup(database, folder).retry(policy).start();
              for (var where : List.of(onQueue(), ActivityOptions.defaults())) {
                var id = lab.begin(engine, atFourth(where));
                assertThat((Object) Hall.result(engine, id)).isEqualTo("did " + id);
              }
              lab.checkGoesOn(engine);
            });
  }

  // ---- callers ----------------------------------------------------------------------------------

  @Test
  void a_start_may_have_any_priority() {
    for (int value : NUMBERS) {
      var options = StartOptions.onQueue("lab").priority(value);
      var run = engine.start("plain", "priority " + value, "", options);
      assertThat((Object) Hall.result(engine, run.workflowId()))
          .isEqualTo("did " + run.workflowId());
    }
    lab.checkGoesOn(engine);
  }

  @Test
  void an_update_with_no_time_is_refused_and_one_with_any_other_is_answered_or_late() {
    var id =
        lab.begin(
            engine,
            ctx -> {
              ctx.onUpdate(ASK, question -> question + "!");
              ctx.sleepUntil(Instant.MAX);
              return "";
            });
    assertThat(engine.update(id, ASK, "first")).isEqualTo("first!");

    for (var none : List.of("negative", "most negative", "zero")) {
      assertThatThrownBy(() -> engine.update(id, ASK, "a", none, SHORT.get(none)))
          .as(none)
          .isInstanceOf(IllegalArgumentException.class);
    }
    var hasty = catchThrowable(() -> engine.update(id, ASK, "a", "m", Duration.ofNanos(1)));
    if (hasty != null) {
      assertThat(hasty)
          .isInstanceOfSatisfying(
              RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R123));
    }
    for (var limit : LONG.values()) {
      assertThat(engine.update(id, ASK, "a", "m", limit)).isEqualTo("a!");
      assertThat(engine.update(id, ASK, "b", "of " + limit, limit)).isEqualTo("b!");
    }
    lab.checkGoesOn(engine);
  }

  @Test
  void a_caller_may_wait_for_a_result_for_any_time() throws Exception {
    var open = lab.begin(engine, until(Instant.MAX));
    for (var limit : SHORT.values()) {
      assertThatThrownBy(() -> engine.handle(open, String.class).result(limit))
          .isInstanceOf(TimeoutException.class);
    }

    var done = lab.begin(engine, Laboratory::step);
    assertThat((Object) Hall.result(engine, done)).isEqualTo("did " + done);
    for (var limit : durations()) {
      assertThat(engine.handle(done, String.class).result(limit)).isEqualTo("did " + done);
    }
    lab.checkGoesOn(engine);
  }

  @Test
  void a_list_may_be_asked_for_with_any_limit() {
    var id = lab.begin(engine, Laboratory::step);
    assertThat((Object) Hall.result(engine, id)).isEqualTo("did " + id);

    for (int value : NUMBERS) {
      made(ListQuery.all()::limit, value)
          .ifPresent(query -> assertThat(engine.list(query)).hasSize(1));
    }

    assertThat(made(ListQuery.all()::limit, 1)).isPresent();
    assertThat(made(ListQuery.all()::limit, Integer.MAX_VALUE)).isEmpty();
  }

  @Test
  void a_fork_may_be_asked_for_at_any_event() {
    var id = lab.begin(engine, Laboratory::step);
    assertThat((Object) Hall.result(engine, id)).isEqualTo("did " + id);
    Map<Integer, String> refused = new LinkedHashMap<>();

    for (int value : NUMBERS) {
      try {
        engine.fork(Fork.of(id, value).as("fork " + value));
      } catch (RepriseException e) {
        refused.put(value, e.code().name());
      }
    }

    assertThat(refused.keySet()).containsExactly(Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE);
    assertThat(refused.values()).containsOnly("R130");
    lab.checkGoesOn(engine);
  }
}
