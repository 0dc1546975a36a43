package dev.reprise.verification.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.RetryAfter;
import dev.reprise.Signal;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

/** Values that nobody would choose on purpose, and engines that are tried with them. */
final class Laboratory {
  static final Signal<String> WORD = Signal.of("word", String.class);
  static final Map<String, Duration> SHORT = new LinkedHashMap<>();
  static final Map<String, Duration> LONG = new LinkedHashMap<>();
  static final List<Integer> NUMBERS = List.of(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE);
  static final List<Double> FRACTIONS =
      List.of(
          Double.NaN,
          Double.NEGATIVE_INFINITY,
          -1.0,
          0.0,
          Double.MIN_VALUE,
          Double.MAX_VALUE,
          Double.POSITIVE_INFINITY);

  static {
    SHORT.put("negative", Duration.ofSeconds(-1));
    SHORT.put("most negative", Duration.ofSeconds(Long.MIN_VALUE));
    SHORT.put("zero", Duration.ZERO);
    SHORT.put("1 ns", Duration.ofNanos(1));
    LONG.put("nanoseconds", Duration.ofNanos(Long.MAX_VALUE));
    LONG.put("milliseconds", Duration.ofMillis(Long.MAX_VALUE));
    LONG.put("for ever", ChronoUnit.FOREVER.getDuration());
  }

  private final Map<String, Function<Context, String>> codes = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();
  private final Bench bench = new Bench();

  /** What workers do. */
  public interface Work {
    String work(String what);

    String workAtSecond(String what);

    String workAtFourth(String what);

    String workLater(Duration pause);

    void undo(String what);
  }

  private static final class Bench implements Work {
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();

    @Override
    public String work(String what) {
      return "did " + what;
    }

    @Override
    public String workAtSecond(String what) {
      return workAfter(1, what);
    }

    @Override
    public String workAtFourth(String what) {
      return workAfter(3, what);
    }

    private String workAfter(int failures, String what) {
      if (calls.merge(what, 1, Integer::sum) <= failures) {
        throw new IllegalStateException("not yet");
      }
      return "did " + what;
    }

    @Override
    public String workLater(Duration pause) {
      throw new RetryAfter(pause, "later");
    }

    @Override
    public void undo(String what) {
      var _ = workAfter(3, what);
    }
  }

  static List<Duration> durations() {
    return Stream.concat(SHORT.values().stream(), LONG.values().stream()).toList();
  }

  /** Empty if the value is refused, as a mistake of who gave it. */
  static <V, T> Optional<T> made(Function<? super V, T> option, V value) {
    try {
      return Optional.of(option.apply(value));
    } catch (IllegalArgumentException refused) {
      return Optional.empty();
    } catch (RepriseException refused) {
      assertThat(refused.isRetryable()).isFalse();
      return Optional.empty();
    }
  }

  /** How often an activity was called for that. */
  int calls(String what) {
    return bench.calls.getOrDefault(what, 0);
  }

  Reprise setup(Database database, Path folder) {
    return Reprise.on(database.in(folder).get())
        .shutdownGrace(Duration.ofSeconds(2))
        .activities(bench)
        .worker("lab", 2)
        .workflow("plain", String.class, String.class, (ctx, in) -> step(ctx))
        .workflow(
            "code",
            String.class,
            String.class,
            (ctx, in) -> codes.get(ctx.workflowId()).apply(ctx));
  }

  Engine open(Database database, Path folder) {
    return setup(database, folder).start();
  }

  static String step(Context ctx) {
    return ctx.run("step", String.class, () -> "did " + ctx.workflowId());
  }

  static ActivityOptions onQueue() {
    return ActivityOptions.onQueue("lab");
  }

  static Function<Context, String> queued(ActivityOptions options) {
    return ctx -> ctx.activities(Work.class, options).work(ctx.workflowId());
  }

  /** Starts a workflow with that code, and sends it a signal. */
  String begin(Engine engine, Function<Context, String> code) {
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

  /** Starts, steps and queues work, and nothing is wrong with the engine. */
  void checkGoesOn(Engine engine) {
    for (int i = 0; i < 3; i++) { // more than the worker has places
      var id = begin(engine, queued(onQueue()));
      assertThat((Object) Hall.result(engine, id)).isEqualTo("did " + id);
    }
    var plain = "plain" + ids.incrementAndGet();
    engine.start("plain", plain, "");
    assertThat((Object) Hall.result(engine, plain)).isEqualTo("did " + plain);
    Hall.until("the engine is up: " + engine.health(), () -> engine.health().isUp());
  }
}
