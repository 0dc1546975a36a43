package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Closing an engine in good order, and what the next one finds. */
@ParameterizedClass(name = "{0}")
@EnumSource
class ShutdownTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world;
  private final Calls calls = new Calls();
  private final Gate gate;

  ShutdownTest(StoreKind kind) {
    this.world = new World(kind);
    this.gate = world.gate();
  }

  private void register(Reprise reprise) {
    reprise
        .workflow("held", String.class, String.class, this::held)
        .workflow("wait", String.class, String.class, (ctx, _) -> ctx.receive(WORD))
        .workflow(
            "sleep",
            String.class,
            String.class,
            (ctx, in) -> {
              ctx.sleep(HOUR);
              return in;
            });
  }

  private String held(Context ctx, String in) {
    ctx.run(
        "held",
        () -> {
          calls.add("held");
          gate.pass();
        });
    ctx.run("after", () -> calls.add("after"));
    return in;
  }

  private Engine open(Duration grace) {
    return world.open(
        r -> {
          r.shutdownGrace(grace);
          register(r);
        });
  }

  @Test
  void an_activity_that_ends_within_the_grace_is_recorded_and_not_run_again() throws Exception {
    var first = open(Duration.ofSeconds(15));
    first.start("held", "w", "x");
    gate.awaitReached();
    var closing = CompletableFuture.runAsync(world::shutDown);
    Await.until("it takes nothing more", () -> isClosed(first));
    gate.open();
    closing.get(20, TimeUnit.SECONDS);

    assertThat(outline(world.stored("w")))
        .startsWith("WorkflowStarted held", "ActivityCompleted held:1");
    assertThat(result(open(HOUR), "w")).isEqualTo("x");
    assertThat(calls.all()).containsExactly("held", "after");
  }

  private static boolean isClosed(Engine engine) {
    try {
      engine.resume("w");
      return false;
    } catch (RepriseException e) {
      return e.code() == ErrorCode.R119;
    }
  }

  @Test
  void an_activity_that_outlasts_the_grace_is_left_behind_and_run_again() throws Exception {
    var first = open(Duration.ofMillis(20));
    first.start("held", "w", "x");
    gate.awaitReached();

    world.shutDown();
    gate.open();

    assertThat(result(open(HOUR), "w")).isEqualTo("x");
    assertThat(calls.of("held")).isEqualTo(2);
    assertThat(calls.of("after")).isEqualTo(1);
  }

  @Test
  void a_grace_of_nothing_and_one_without_end_are_possible() {
    for (var grace : List.of(Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE))) {
      var engine = open(grace);
      world.settle(engine.start("wait", "w" + grace, ""));
      world.shutDown();
    }

    var last = open(HOUR);
    assertThat(last.list(ListQuery.all().with(Status.RUNNING))).hasSize(2);
  }

  @Test
  void to_close_twice_is_to_close_once() {
    var engine = open(HOUR);
    world.settle(engine.start("wait", "w", ""));

    engine.close();
    engine.close();
    world.shutDown();

    var second = open(HOUR);
    engine.close(); // must not touch what the next one has
    second.signal("w", WORD, "still");
    assertThat(result(second, "w")).isEqualTo("still");
  }

  @Test
  void several_threads_may_close_at_once() {
    var engine = open(HOUR);
    world.settle(engine.start("wait", "w", ""));

    var closing = IntStream.range(0, 4).mapToObj(_ -> CompletableFuture.runAsync(engine::close));

    for (var one : closing.toList()) assertThat(one).succeedsWithin(Duration.ofSeconds(20));
    world.shutDown();
    assertThat(open(HOUR).describe("w").status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void every_call_of_a_closed_engine_is_R119() {
    var engine = open(HOUR);
    var handle = engine.start("wait", "w", "");
    world.settle(handle);
    world.shutDown();
    List<ThrowingCallable> all =
        List.of(
            () -> engine.start("wait", "other", ""),
            () -> engine.start("wait", "w", ""),
            () -> engine.signal("w", WORD, "x"),
            () -> engine.resume("w"),
            () -> engine.handle("w", String.class),
            () -> engine.describe("w"),
            () -> engine.history("w"),
            () -> engine.list(ListQuery.all()),
            () -> handle.signal(WORD, "x"),
            () -> handle.status(),
            () -> handle.describe(),
            () -> handle.history(),
            () -> result(handle));

    for (var call : all) {
      var e = catchThrowableOfType(RepriseException.class, call);
      assertThat(e).isNotNull();
      assertThat(e.code()).isEqualTo(ErrorCode.R119);
    }
    engine.evict("w");
    assertThat(engine.runsInMemory()).isZero();
  }

  @Test
  void whoever_waits_for_a_result_is_told_that_the_engine_was_closed() {
    var engine = open(HOUR);
    var handle = engine.start("wait", "w", "");
    world.settle(handle);
    var waiting = CompletableFuture.supplyAsync(handle::result);

    world.shutDown();

    var failure = waiting.handle((_, e) -> e).orTimeout(20, TimeUnit.SECONDS).join();
    assertThat(failure).hasRootCauseInstanceOf(RepriseException.class);
    assertThat(failure.getCause()).hasMessageStartingWith("R119");
  }

  @Test
  void a_result_that_was_known_before_closing_stays_known() {
    var engine = open(HOUR);
    var handle = engine.start("wait", "w", "");
    handle.signal(WORD, "x");
    result(handle);

    world.shutDown();

    assertThat(result(handle)).isEqualTo("x");
  }

  @Test
  void everything_goes_on_with_the_next_engine() {
    var first = open(HOUR);
    IntStream.range(0, 30).forEach(i -> first.start("wait", "w" + i, ""));
    IntStream.range(0, 30).forEach(i -> first.start("sleep", "s" + i, "slept " + i));
    IntStream.range(0, 30).forEach(i -> first.signal("w" + i, WORD, "heard " + i));
    world.shutDown();

    var second = open(HOUR);
    for (int i = 0; i < 30; i++) assertThat(result(second, "w" + i)).isEqualTo("heard " + i);
    for (int i = 0; i < 30; i++) {
      String slept = world.resultInTime(second.handle("s" + i, String.class));
      assertThat(slept).isEqualTo("slept " + i);
    }
  }

  @Test
  void starts_and_signals_during_closing_are_either_refused_or_kept() throws Exception {
    var engine = open(HOUR);
    engine.start("wait", "w", "");
    var acknowledged = new Calls();
    var starter =
        Thread.startVirtualThread(
            () -> {
              for (int i = 0; ; i++) {
                try {
                  engine.start("wait", "w" + i, "");
                  acknowledged.add("w" + i);
                } catch (RepriseException closed) {
                  acknowledged.add(closed.code().name());
                  return;
                }
              }
            });
    Await.until("some have started", () -> acknowledged.all().size() > 50);

    world.shutDown();
    assertThat(starter.join(Duration.ofSeconds(20))).isTrue();

    assertThat(acknowledged.all().getLast()).isEqualTo("R119");
    for (var id : acknowledged.all().subList(0, acknowledged.all().size() - 1)) {
      assertThat(world.stored(id)).as(id).hasSize(1);
    }
    var second = open(HOUR);
    second.signal("w0", WORD, "there");
    assertThat(result(second, "w0")).isEqualTo("there");
  }
}
