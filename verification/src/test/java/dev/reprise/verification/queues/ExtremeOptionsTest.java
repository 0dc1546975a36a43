package dev.reprise.verification.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.reprise.ActivityOptions;
import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.QueueLimits;
import dev.reprise.RepriseException;
import dev.reprise.RetryAfter;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.WorkerOptions;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
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
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final RetryPolicy TWICE = RetryPolicy.fixed(Duration.ofMillis(1), 2);
  private static final Map<String, Duration> SHORT = new LinkedHashMap<>();
  private static final Map<String, Duration> LONG = new LinkedHashMap<>();

  static {
    SHORT.put("negative", Duration.ofSeconds(-1));
    SHORT.put("most negative", Duration.ofSeconds(Long.MIN_VALUE));
    SHORT.put("zero", Duration.ZERO);
    SHORT.put("1 ns", Duration.ofNanos(1));
    LONG.put("nanoseconds", Duration.ofNanos(Long.MAX_VALUE));
    LONG.put("milliseconds", Duration.ofMillis(Long.MAX_VALUE));
    LONG.put("for ever", ChronoUnit.FOREVER.getDuration());
  }

  private static final List<Integer> NUMBERS =
      List.of(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE);
  private static final List<Double> FRACTIONS =
      List.of(
          Double.NaN,
          Double.NEGATIVE_INFINITY,
          -1.0,
          0.0,
          Double.MIN_VALUE,
          Double.MAX_VALUE,
          Double.POSITIVE_INFINITY);

  @TempDir Path folder;
  private final Map<String, Function<Context, String>> codes = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();

  /** What workers do. */
  public interface Lab {
    String work(String what);

    String workAtSecond(String what);
  }

  private static final class Bench implements Lab {
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();

    @Override
    public String work(String what) {
      return "did " + what;
    }

    @Override
    public String workAtSecond(String what) {
      if (calls.merge(what, 1, Integer::sum) == 1) throw new IllegalStateException("not yet");
      return "did " + what;
    }
  }

  // ---- durations --------------------------------------------------------------------------------

  /** A limit that is never reached when it is long. */
  private static final Map<String, Function<Duration, Function<Context, String>>> LIMITS =
      new LinkedHashMap<>();

  /** A time that is waited for: the workflow may never end. */
  private static final Map<String, Function<Duration, Function<Context, String>>> WAITS =
      new LinkedHashMap<>();

  static {
    LIMITS.put("timeout", d -> queued(onLab().timeout(d)));
    LIMITS.put("visibility", d -> queued(onLab().visibility(d)));
    LIMITS.put("heartbeat timeout", d -> queued(onLab().heartbeatTimeout(d)));
    LIMITS.put("queue timeout", d -> queued(onLab().queueTimeout(d)));
    LIMITS.put("total timeout", d -> queued(onLab().totalTimeout(d)));
    LIMITS.put(
        "total timeout of a retried one",
        d -> {
          var options = onLab().totalTimeout(d).retry(TWICE);
          return ctx -> ctx.activities(Lab.class, options).workAtSecond(ctx.workflowId());
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
          var options = onLab().retry(TWICE.maxDuration(d));
          return ctx -> ctx.activities(Lab.class, options).workAtSecond(ctx.workflowId());
        });
    LIMITS.put(
        "longest delay",
        d -> {
          var options = onLab().retry(RetryPolicy.exponential(Duration.ofMillis(1), d, 2));
          return ctx -> ctx.activities(Lab.class, options).workAtSecond(ctx.workflowId());
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
          var options = onLab().retry(RetryPolicy.exponential(d, d, 3));
          return ctx -> ctx.activities(Lab.class, options).workAtSecond(ctx.workflowId());
        });
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

  private static ActivityOptions onLab() {
    return ActivityOptions.onQueue("lab");
  }

  private static Function<Context, String> queued(ActivityOptions options) {
    return ctx -> ctx.activities(Lab.class, options).work(ctx.workflowId());
  }

  private static String step(Context ctx) {
    return ctx.run("step", String.class, () -> "did " + ctx.workflowId());
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
    try (var engine = open(database)) {
      SHORT.forEach((_, value) -> made(option, value).ifPresent(code -> begin(engine, code)));
      checkGoesOn(engine);
      LONG.forEach(
          (_, value) ->
              made(option, value)
                  .ifPresent(
                      code -> {
                        var id = begin(engine, code);
                        assertThat(result(engine, id))
                            .as("%s %s", name, value)
                            .isEqualTo("did " + id);
                      }));
      checkGoesOn(engine);
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("waits")
  void waiting_for_any_time_holds_up_nobody_else(String name, Database database) {
    var option = WAITS.get(name);
    try (var engine = open(database)) {
      SHORT.forEach((_, value) -> made(option, value).ifPresent(code -> begin(engine, code)));
      LONG.forEach((_, value) -> made(option, value).ifPresent(code -> begin(engine, code)));
      checkGoesOn(engine);
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
    try (var engine = open(database)) {
      options.forEach(
          (name, option) -> {
            for (var value : durations()) {
              made(option, value).ifPresent(made -> engine.start("plain", name + value, "", made));
            }
          });
      checkGoesOn(engine);
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void limits_of_a_queue_may_have_any_values(Database database) {
    var limits = new LinkedHashMap<String, Function<Object, QueueLimits>>();
    limits.put("rate per", d -> QueueLimits.none().rate(1, (Duration) d));
    limits.put("rate per, fair", d -> QueueLimits.none().rate(1, (Duration) d).fair());
    limits.put("rate", n -> QueueLimits.none().rate((Integer) n, Duration.ofMillis(1)));
    limits.put("per worker", n -> QueueLimits.none().perWorker((Integer) n));
    limits.put("concurrency", n -> QueueLimits.none().concurrency((Integer) n));
    limits.put("per key", n -> QueueLimits.none().perKey((Integer) n));
    limits.put("weight", n -> QueueLimits.none().weight("a", (Integer) n).weight("b", 1));
    try (var engine = open(database)) {
      var other = engine.worker("other", 1);
      limits.forEach(
          (name, limit) -> {
            for (var value : name.startsWith("rate per") ? durations() : NUMBERS) {
              made(limit, value)
                  .ifPresent(
                      made -> {
                        engine.limit("other", made);
                        begin(engine, queued(ActivityOptions.onQueue("other").key("a")));
                      });
            }
          });
      checkGoesOn(engine);
      engine.limit("other", QueueLimits.none());
      var last = begin(engine, queued(ActivityOptions.onQueue("other")));
      assertThat(result(engine, last)).isEqualTo("did " + last);
      other.close();
    }
  }

  // ---- numbers ----------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("databases")
  void numbers_of_options_may_have_any_values(Database database) {
    var options = new LinkedHashMap<String, Function<Integer, ActivityOptions>>();
    options.put("priority", n -> onLab().priority(n));
    options.put("attempts", n -> onLab().retry(TWICE.attempts(n)));
    options.put("attempts of the one that fails", n -> onLab().retry(TWICE.attempts(n)));
    try (var engine = open(database)) {
      options.forEach(
          (_, option) -> {
            for (int value : NUMBERS) {
              made(option, value)
                  .ifPresent(
                      made -> {
                        var id = begin(engine, queued(made));
                        assertThat(result(engine, id)).isEqualTo("did " + id);
                        begin(
                            engine,
                            ctx -> ctx.activities(Lab.class, made).workAtSecond(ctx.workflowId()));
                      });
            }
          });
      checkGoesOn(engine);
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
                Duration.ofMillis(1), factor, Duration.ofMillis(2), 3, 0, null, Set.of()));
    policies.put("jitter", TWICE::jitter);
    try (var engine = open(database)) {
      policies.forEach(
          (name, policy) -> {
            for (double value : FRACTIONS) {
              var made = made(policy, value);
              if (!Double.isFinite(value)) assertThat(made).as("%s %s", name, value).isEmpty();
              made.ifPresent(
                  retry -> {
                    var id =
                        begin(
                            engine,
                            ctx ->
                                ctx.activities(Lab.class, onLab().retry(retry))
                                    .workAtSecond(ctx.workflowId()));
                    assertThat(result(engine, id)).isEqualTo("did " + id);
                  });
            }
          });
      checkGoesOn(engine);
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void a_worker_may_be_made_for_any_number(Database database) {
    try (var engine = open(database)) {
      for (int value : NUMBERS) {
        var made = made(WorkerOptions::concurrency, value);
        if (made.isEmpty()) continue;
        try (var _ = engine.worker("other", made.get())) {
          var id = begin(engine, queued(ActivityOptions.onQueue("other")));
          assertThat(result(engine, id)).isEqualTo("did " + id);
        }
      }
      checkGoesOn(engine);
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
      var reprise = setup(database);
      if (made(set(SETTINGS.get(name), reprise), value).isEmpty()) continue;
      try (var engine = reprise.start()) {
        if (LONG.containsValue(value)) checkGoesOn(engine);
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
        setup(database)
            .activeRuns(Integer.MAX_VALUE)
            .loopLimit(Integer.MAX_VALUE)
            .memoryBudget(Long.MAX_VALUE)
            .callBudget(Long.MAX_VALUE);
    try (var engine = reprise.start()) {
      checkGoesOn(engine);
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void an_engine_works_with_the_smallest_numbers(Database database) {
    var reprise = setup(database).activeRuns(1).loopLimit(1).memoryBudget(0).callBudget(0);
    try (var engine = reprise.start()) {
      checkGoesOn(engine);
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void a_caller_may_wait_for_any_time(Database database) throws Exception {
    try (var engine = open(database)) {
      var id = begin(engine, ExtremeOptionsTest::step);
      for (var value : LONG.values()) {
        assertThat(engine.handle(id, String.class).result(value)).isEqualTo("did " + id);
      }
      checkGoesOn(engine);
    }
  }

  // ---- the rest ---------------------------------------------------------------------------------

  private static List<Duration> durations() {
    return Stream.concat(SHORT.values().stream(), LONG.values().stream()).toList();
  }

  /** Empty if the value is refused, as a mistake of who gave it. */
  private static <V, T> Optional<T> made(Function<? super V, T> option, V value) {
    try {
      return Optional.of(option.apply(value));
    } catch (IllegalArgumentException refused) {
      return Optional.empty();
    } catch (RepriseException refused) {
      assertThat(refused.isRetryable()).isFalse();
      return Optional.empty();
    }
  }

  private Reprise setup(Database database) {
    return Reprise.on(database.in(folder).get())
        .shutdownGrace(Duration.ofSeconds(2))
        .activities(new Bench())
        .worker("lab", 2)
        .workflow("plain", String.class, String.class, (ctx, in) -> step(ctx))
        .workflow(
            "code",
            String.class,
            String.class,
            (ctx, in) -> codes.get(ctx.workflowId()).apply(ctx));
  }

  private Engine open(Database database) {
    return setup(database).start();
  }

  private String begin(Engine engine, Function<Context, String> code) {
    var id = "w" + ids.incrementAndGet();
    codes.put(id, code);
    engine.start("code", id, "");
    try {
      engine.signal(id, WORD, "x");
    } catch (RepriseException ended) {
      assertThat(ended.code()).isEqualTo(ErrorCode.R114);
    }
    return id;
  }

  private static Object result(Engine engine, String id) {
    return Hall.result(engine, id);
  }

  /** Starts, steps and queues work, and nothing is wrong with the engine. */
  private void checkGoesOn(Engine engine) {
    for (int i = 0; i < 3; i++) { // more than the worker has places
      var id = begin(engine, queued(onLab()));
      assertThat(result(engine, id)).isEqualTo("did " + id);
    }
    var plain = "plain" + ids.incrementAndGet();
    engine.start("plain", plain, "");
    assertThat(result(engine, plain)).isEqualTo("did " + plain);
    Hall.until("the engine is up: " + engine.health(), () -> engine.health().isUp());
  }
}
