package dev.reprise.verification.queues;

import static dev.reprise.verification.queues.Laboratory.FRACTIONS;
import static dev.reprise.verification.queues.Laboratory.LONG;
import static dev.reprise.verification.queues.Laboratory.NUMBERS;
import static dev.reprise.verification.queues.Laboratory.SHORT;
import static dev.reprise.verification.queues.Laboratory.WORD;
import static dev.reprise.verification.queues.Laboratory.durations;
import static dev.reprise.verification.queues.Laboratory.made;
import static dev.reprise.verification.queues.Laboratory.onQueue;
import static dev.reprise.verification.queues.Laboratory.queued;
import static dev.reprise.verification.queues.Laboratory.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.reprise.ActivityOptions;
import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.QueueLimits;
import dev.reprise.RetryAfter;
import dev.reprise.RetryPolicy;
import dev.reprise.StartOptions;
import dev.reprise.WorkerOptions;
import dev.reprise.engine.Reprise;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every option with every value that nobody would choose on purpose, on every database: it is
 * refused where it is made, or the workflow does what it should. In any case the engine goes on.
 */
class ExtremeOptionsTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
  private static final RetryPolicy TWICE = RetryPolicy.fixed(Duration.ofMillis(1), 2);

  @TempDir Path folder;
  private final Laboratory lab = new Laboratory();

  // ---- durations --------------------------------------------------------------------------------

  /** A limit that is never reached when it is long. */
  private static final Map<String, Function<Duration, Function<Context, String>>> LIMITS =
      new LinkedHashMap<>();

  /** A time that is waited for: the workflow may never end. */
  private static final Map<String, Function<Duration, Function<Context, String>>> WAITS =
      new LinkedHashMap<>();

  static {
    LIMITS.put("timeout", d -> queued(onQueue().timeout(d)));
    LIMITS.put("visibility", d -> queued(onQueue().visibility(d)));
    LIMITS.put("heartbeat timeout", d -> queued(onQueue().heartbeatTimeout(d)));
    LIMITS.put("queue timeout", d -> queued(onQueue().queueTimeout(d)));
    LIMITS.put("total timeout", d -> queued(onQueue().totalTimeout(d)));
    LIMITS.put(
        "total timeout of a retried one",
        d -> {
          var options = onQueue().totalTimeout(d).retry(TWICE);
          return ctx ->
              ctx.activities(Laboratory.Work.class, options).workAtSecond(ctx.workflowId());
        });
    LIMITS.put(
        "timeout inline",
        d -> {
          var options = ActivityOptions.defaults().timeout(d);
          return ctx ->
              ctx.with(options).run("step", String.class, () -> "did " + ctx.workflowId());
        });
    LIMITS.put(
        "retries until",
        d -> {
          var options = onQueue().retry(TWICE.maxDuration(d));
          return ctx ->
              ctx.activities(Laboratory.Work.class, options).workAtSecond(ctx.workflowId());
        });
    LIMITS.put(
        "longest delay",
        d -> {
          var options = onQueue().retry(RetryPolicy.exponential(Duration.ofMillis(1), d, 2));
          return ctx ->
              ctx.activities(Laboratory.Work.class, options).workAtSecond(ctx.workflowId());
        });
    LIMITS.put(
        "child's timeout",
        d -> {
          var options = ChildOptions.defaults().timeout(d);
          return ctx -> {
            ctx.start("plain", "", String.class, options).result().await();
            return "did " + ctx.workflowId();
          };
        });
    LIMITS.put("withTimeout", d -> ctx -> ctx.withTimeout(d, () -> step(ctx)));
    LIMITS.put(
        "await",
        d ->
            ctx -> {
              var promise = ctx.async(() -> step(ctx));
              boolean done = ctx.await(d, promise::isDone);
              return done ? promise.await() : "not in time";
            });
    LIMITS.put(
        "receive", d -> ctx -> ctx.receive(WORD, d).map(_ -> step(ctx)).orElse("not in time"));

    LIMITS.put("receive any", d -> ctx -> ctx.receiveAny(d).map(_ -> step(ctx)).orElse("missed"));

    WAITS.put(
        "sleep",
        d ->
            ctx -> {
              ctx.sleep(d);
              return "";
            });
    WAITS.put(
        "first delay",
        d -> {
          var options = onQueue().retry(RetryPolicy.exponential(d, d, 3));
          return ctx ->
              ctx.activities(Laboratory.Work.class, options).workAtSecond(ctx.workflowId());
        });
    WAITS.put(
        "retry after, on a queue",
        d -> ctx -> ctx.activities(Laboratory.Work.class, onQueue()).workLater(d));
    WAITS.put(
        "retry after, inline",
        d ->
            ctx ->
                ctx.run(
                    "step",
                    String.class,
                    () -> {
                      throw new RetryAfter(d, "later");
                    }));
  }

  /** By then a factor has been multiplied with itself. */
  private static Function<Context, String> atFourth(ActivityOptions options) {
    return ctx -> ctx.activities(Laboratory.Work.class, options).workAtFourth(ctx.workflowId());
  }

  static Stream<Arguments> limits() {
    return onAll(LIMITS.keySet().stream());
  }

  static Stream<Arguments> waits() {
    return onAll(WAITS.keySet().stream());
  }

  private static Stream<Arguments> onAll(Stream<String> options) {
    return options.flatMap(
        option -> Stream.of(Database.values()).map(database -> arguments(option, database)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("limits")
  void a_limit_of_any_length_is_refused_where_it_is_made_or_holds(String name, Database database) {
    var option = LIMITS.get(name);
    try (var engine = lab.open(database, folder)) {
      SHORT.forEach((_, value) -> made(option, value).ifPresent(code -> lab.begin(engine, code)));
      lab.checkGoesOn(engine);
      LONG.forEach(
          (_, value) ->
              made(option, value)
                  .ifPresent(
                      code -> {
                        var id = lab.begin(engine, code);
                        assertThat(Hall.result(engine, id))
                            .as("%s %s", name, value)
                            .isEqualTo("did " + id);
                      }));
      lab.checkGoesOn(engine);
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("waits")
  void waiting_for_any_time_holds_up_nobody_else(String name, Database database) {
    var option = WAITS.get(name);
    try (var engine = lab.open(database, folder)) {
      SHORT.forEach((_, value) -> made(option, value).ifPresent(code -> lab.begin(engine, code)));
      LONG.forEach((_, value) -> made(option, value).ifPresent(code -> lab.begin(engine, code)));
      lab.checkGoesOn(engine);
    }
  }

  static Stream<Arguments> databases() {
    return Stream.of(Database.values()).map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("databases")
  void starts_with_any_times_hold_up_nobody_else(Database database) {
    var options = new LinkedHashMap<String, Function<Duration, StartOptions>>();
    options.put("timeout", d -> StartOptions.defaults().timeout(d));
    options.put("timeout on a queue", d -> StartOptions.onQueue("lab").timeout(d));
    options.put("delay", d -> StartOptions.defaults().delay(d));
    options.put("debounce", d -> StartOptions.defaults().debounce("key", d));
    try (var engine = lab.open(database, folder)) {
      options.forEach(
          (name, option) -> {
            for (var value : durations()) {
              made(option, value).ifPresent(made -> engine.start("plain", name + value, "", made));
            }
          });
      lab.checkGoesOn(engine);
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void limits_of_a_queue_may_have_any_values(Database database) {
    var limits = new LinkedHashMap<String, Function<Object, QueueLimits>>();
    limits.put("rate per", d -> QueueLimits.none().rate(1, (Duration) d));
    limits.put("rate per, fair", d -> QueueLimits.none().rate(1, (Duration) d).fair());
    limits.put("rate at once", n -> QueueLimits.none().rate((Integer) n, Duration.ofNanos(1)));
    limits.put("rate for ever", n -> QueueLimits.none().rate((Integer) n, FOREVER));
    limits.put("rate", n -> QueueLimits.none().rate((Integer) n, Duration.ofMillis(1)));
    limits.put("per worker", n -> QueueLimits.none().perWorker((Integer) n));
    limits.put("concurrency", n -> QueueLimits.none().concurrency((Integer) n));
    limits.put("per key", n -> QueueLimits.none().perKey((Integer) n));
    limits.put("weight", n -> QueueLimits.none().weight("a", (Integer) n).weight("b", 1));
    try (var engine = lab.open(database, folder)) {
      var other = engine.worker("other", 1);
      limits.forEach(
          (name, limit) -> {
            for (var value : name.startsWith("rate per") ? durations() : NUMBERS) {
              made(limit, value)
                  .ifPresent(
                      made -> {
                        engine.limit("other", made);
                        lab.begin(engine, queued(ActivityOptions.onQueue("other").key("a")));
                      });
            }
          });
      lab.checkGoesOn(engine);
      engine.limit("other", QueueLimits.none());
      var last = lab.begin(engine, queued(ActivityOptions.onQueue("other")));
      assertThat(Hall.result(engine, last)).isEqualTo("did " + last);
      other.close();
    }
  }

  // ---- numbers ----------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("databases")
  void numbers_of_options_may_have_any_values(Database database) {
    var options = new LinkedHashMap<String, Function<Integer, ActivityOptions>>();
    options.put("priority", n -> onQueue().priority(n));
    options.put("attempts", n -> onQueue().retry(TWICE.attempts(n)));
    options.put("attempts of the one that fails", n -> onQueue().retry(TWICE.attempts(n)));
    try (var engine = lab.open(database, folder)) {
      options.forEach(
          (_, option) -> {
            for (int value : NUMBERS) {
              made(option, value)
                  .ifPresent(
                      made -> {
                        var id = lab.begin(engine, queued(made));
                        assertThat(Hall.result(engine, id)).isEqualTo("did " + id);
                        lab.begin(
                            engine,
                            ctx ->
                                ctx.activities(Laboratory.Work.class, made)
                                    .workAtSecond(ctx.workflowId()));
                      });
            }
          });
      lab.checkGoesOn(engine);
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void growth_and_jitter_of_delays_may_have_any_values(Database database) {
    var policies = new LinkedHashMap<String, Function<Double, RetryPolicy>>();
    policies.put(
        "factor",
        factor ->
            new RetryPolicy(
                Duration.ofMillis(1), factor, Duration.ofMillis(2), 4, 0, null, Set.of()));
    policies.put(
        "factor of nothing",
        factor ->
            new RetryPolicy(Duration.ZERO, factor, Duration.ofMillis(2), 4, 0, null, Set.of()));
    policies.put("jitter", TWICE.attempts(4)::jitter);
    try (var engine = lab.open(database, folder)) {
      policies.forEach(
          (name, policy) -> {
            for (double value : FRACTIONS) {
              var made = made(policy, value);
              if (!Double.isFinite(value)) assertThat(made).as("%s %s", name, value).isEmpty();
              made.ifPresent(
                  retry -> {
                    for (var where : List.of(onQueue(), ActivityOptions.defaults())) {
                      var id = lab.begin(engine, atFourth(where.retry(retry)));
                      assertThat(Hall.result(engine, id)).isEqualTo("did " + id);
                    }
                  });
            }
          });
      lab.checkGoesOn(engine);
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void a_worker_may_be_made_for_any_number(Database database) {
    try (var engine = lab.open(database, folder)) {
      for (int value : NUMBERS) {
        var made = made(WorkerOptions::concurrency, value);
        if (made.isEmpty()) continue;
        try (var _ = engine.worker("other", made.get())) {
          var id = lab.begin(engine, queued(ActivityOptions.onQueue("other")));
          assertThat(Hall.result(engine, id)).isEqualTo("did " + id);
        }
      }
      lab.checkGoesOn(engine);
    }
  }

  // ---- settings ---------------------------------------------------------------------------------

  private static final Map<String, BiConsumer<Reprise, Duration>> SETTINGS =
      Map.of(
          "lease", Reprise::lease,
          "call timeout", Reprise::callTimeout,
          "shutdown grace", Reprise::shutdownGrace,
          "retention", Reprise::retention);

  static Stream<Arguments> settings() {
    return onAll(SETTINGS.keySet().stream().sorted());
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("settings")
  void an_engine_works_with_a_setting_of_any_length(String name, Database database) {
    for (var value : durations()) {
      var reprise = lab.setup(database, folder);
      if (made(set(SETTINGS.get(name), reprise), value).isEmpty()) continue;
      try (var engine = reprise.start()) {
        if (LONG.containsValue(value)) lab.checkGoesOn(engine);
      }
    }
  }

  private static <T> Function<T, Reprise> set(BiConsumer<Reprise, T> setting, Reprise reprise) {
    return value -> {
      setting.accept(reprise, value);
      return reprise;
    };
  }

  @ParameterizedTest
  @MethodSource("databases")
  void an_engine_works_with_the_largest_numbers(Database database) {
    var reprise =
        lab.setup(database, folder)
            .activeRuns(Integer.MAX_VALUE)
            .loopLimit(Integer.MAX_VALUE)
            .memoryBudget(Long.MAX_VALUE)
            .callBudget(Long.MAX_VALUE);
    try (var engine = reprise.start()) {
      lab.checkGoesOn(engine);
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void an_engine_works_with_the_smallest_numbers(Database database) {
    var reprise =
        lab.setup(database, folder).activeRuns(1).loopLimit(1).memoryBudget(0).callBudget(0);
    try (var engine = reprise.start()) {
      lab.checkGoesOn(engine);
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void a_caller_may_wait_for_any_time(Database database) throws Exception {
    try (var engine = lab.open(database, folder)) {
      var id = lab.begin(engine, Laboratory::step);
      for (var value : LONG.values()) {
        assertThat(engine.handle(id, String.class).result(value)).isEqualTo("did " + id);
      }
      lab.checkGoesOn(engine);
    }
  }
}
