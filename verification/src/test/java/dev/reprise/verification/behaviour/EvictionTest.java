package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.Handle;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A run that leaves memory while it waits: its code is unwound, and nobody can tell afterwards. */
@ParameterizedClass(name = "{0}")
@EnumSource
class EvictionTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world;
  private final Calls calls = new Calls();
  private Engine engine;

  EvictionTest(StoreKind kind) {
    this.world = new World(kind);
  }

  private Handle<Object> begin(Workflow<String, String> code) {
    engine = world.open(r -> r.workflow("code", String.class, String.class, code));
    var handle = engine.start("code", "w", "");
    world.settle(handle);
    return handle;
  }

  /** Takes the run out of memory and sees to it that nothing was recorded by that. */
  private void evict(Handle<?> handle) {
    var before = handle.history();
    Await.until(
        "the run is out of memory",
        () -> {
          engine.evict("w");
          return engine.runsInMemory() == 0;
        });
    assertThat(handle.history()).isEqualTo(before);
  }

  // ---- shapes of code that meet the sentinel ----------------------------------------------------

  private void assertUnaware(Workflow<String, String> code, String result, String... activities) {
    var handle = begin(code);
    evict(handle);
    handle.signal(WORD, "hello");

    assertThat(result(handle)).isEqualTo(result);
    assertThat(calls.all()).containsExactly(activities);
  }

  private void call(Context ctx, String name) {
    ctx.run(name, () -> calls.add(name));
  }

  @Test
  void code_that_catches_everything_goes_on_as_if_nothing_had_been() {
    assertUnaware(
        (ctx, _) -> {
          call(ctx, "before");
          try {
            return ctx.receive(WORD);
          } catch (Throwable t) {
            call(ctx, "caught");
            return "caught " + t;
          }
        },
        "hello",
        "before");
  }

  @Test
  void code_that_swallows_the_sentinel_and_returns_is_thrown_away() {
    assertUnaware(
        (ctx, _) -> {
          try {
            return ctx.receive(WORD);
          } catch (Throwable t) {
            return "swallowed";
          }
        },
        "hello");
  }

  @Test
  void code_that_throws_something_else_instead_is_thrown_away() {
    assertUnaware(
        (ctx, _) -> {
          try {
            return ctx.receive(WORD);
          } catch (Throwable t) {
            throw new IllegalStateException("wrapped", t);
          }
        },
        "hello");
  }

  @Test
  void a_finally_that_uses_the_context_records_nothing() {
    assertUnaware(
        (ctx, _) -> {
          try {
            return ctx.receive(WORD);
          } finally {
            call(ctx, "finally");
          }
        },
        "hello",
        "finally");
  }

  @Test
  void every_call_of_the_context_in_a_finally_throws_again() {
    var thrown = new Calls();
    var handle =
        begin(
            (ctx, _) -> {
              try {
                return ctx.receive(WORD);
              } finally {
                note(thrown, () -> call(ctx, "run"));
                note(thrown, () -> ctx.sleep(HOUR));
                note(thrown, () -> ctx.receive(WORD));
                note(thrown, () -> ctx.async(() -> null));
                note(thrown, () -> ctx.await(() -> true));
                note(thrown, () -> ctx.patched("change"));
                note(thrown, ctx::now);
                note(thrown, ctx::uuid);
                note(thrown, ctx::random);
                note(thrown, ctx::replaying);
              }
            });

    evict(handle);

    Await.until("the code has unwound", () -> thrown.all().size() == 10);
    assertThat(thrown.all()).containsOnly("error");
    assertThat(calls.all()).isEmpty();
  }

  private static void note(Calls thrown, Runnable code) {
    try {
      code.run();
      thrown.add("nothing");
    } catch (Exception e) {
      thrown.add("exception");
    } catch (Error e) {
      thrown.add("error");
    }
  }

  @Test
  void code_that_catches_everything_in_a_loop_with_an_end_is_thrown_away() {
    assertUnaware(
        (ctx, _) -> {
          for (int i = 0; i < 10; i++) {
            try {
              return ctx.receive(WORD) + i;
            } catch (Throwable t) {
              call(ctx, "again");
            }
          }
          return "given up";
        },
        "hello0");
  }

  @Test
  void code_that_catches_everything_in_a_loop_without_end_holds_up_nobody() {
    Workflow<String, String> stubborn =
        (ctx, _) -> {
          for (; ; ) {
            try {
              return ctx.receive(WORD);
            } catch (Throwable t) {
              // and again
            }
          }
        };
    engine =
        world.open(
            r ->
                r.workflow("code", String.class, String.class, stubborn)
                    .workflow("echo", String.class, String.class, (_, in) -> in));
    var ids = List.of("w1", "w2", "w3", "w4");
    for (var id : ids) world.settle(engine.start("code", id, ""));
    ids.forEach(engine::evict);
    Await.until("all are out of memory", () -> engine.runsInMemory() == 0);

    assertThat(result(engine.start("echo", "e", "others go on"))).isEqualTo("others go on");
    for (var id : ids) engine.signal(id, WORD, "hello " + id);
    for (var id : ids) assertThat(result(engine, id)).isEqualTo("hello " + id);
  }

  @Test
  void an_ordinary_catch_of_exceptions_never_sees_it() {
    assertUnaware(
        (ctx, _) -> {
          try {
            return ctx.receive(WORD);
          } catch (Exception e) {
            calls.add("caught");
            throw e;
          }
        },
        "hello");
  }

  @Test
  void ordinary_waiting_throws_nothing_into_the_code() {
    engine =
        world.open(
            r ->
                r.workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      try {
                        ctx.sleep(HOUR);
                        call(ctx, "step");
                        return ctx.receive(WORD);
                      } catch (Throwable t) {
                        calls.add("caught " + t);
                        throw t;
                      } finally {
                        calls.add("finally");
                      }
                    }));
    var handle = engine.start("code", "w", "");
    world.settle(handle);
    world.time().advance(HOUR);
    awaitEvents(engine, "w", "ActivityCompleted", 1);
    handle.signal(WORD, "hello");

    assertThat(result(handle)).isEqualTo("hello");
    assertThat(calls.all()).containsExactly("step", "finally");
  }

  // ---- what it waited for -----------------------------------------------------------------------

  @Test
  void a_sleep_ends_when_it_is_due() {
    var handle =
        begin(
            (ctx, _) -> {
              call(ctx, "before");
              ctx.sleep(HOUR);
              call(ctx, "after");
              return Duration.between(World.START, ctx.now()).toString();
            });
    evict(handle);

    assertThat(world.resultInTime(handle)).isEqualTo("PT1H");
    assertThat(calls.all()).containsExactly("before", "after");
  }

  @Test
  void a_retry_is_made_when_it_is_due() {
    var options = ActivityOptions.defaults().retry(RetryPolicy.fixed(HOUR, 3));
    var handle =
        begin(
            (ctx, _) ->
                ctx.with(options)
                    .run(
                        "flaky",
                        String.class,
                        () -> {
                          calls.add(Duration.between(World.START, world.time().now()).toString());
                          if (calls.all().size() < 3) throw new IllegalStateException("no");
                          return "good";
                        }));
    evict(handle);
    world.time().advance(HOUR);
    awaitEvents(engine, "w", "ActivityRetryScheduled", 2);
    world.settle(handle);
    evict(handle);

    assertThat(world.resultInTime(handle)).isEqualTo("good");
    assertThat(calls.all()).containsExactly("PT0S", "PT1H", "PT2H");
  }

  @Test
  void branches_that_wait_are_all_there_again() {
    var handle =
        begin(
            (ctx, _) -> {
              call(ctx, "before");
              var heard = new ArrayList<String>();
              var sleeper = ctx.async(() -> slept(ctx, heard));
              var listener = ctx.async(() -> heard.add(ctx.receive(WORD)));
              var inner =
                  ctx.async(() -> ctx.async(() -> heard.add(ctx.receive(WORD) + "!")).await());
              ctx.all(List.of(sleeper, listener, inner));
              return heard.toString();
            });
    evict(handle);
    handle.signal(WORD, "a");
    world.settle(handle);
    evict(handle);
    world.time().advance(HOUR);
    awaitEvents(engine, "w", "TimerFired", 1);
    world.settle(handle);
    evict(handle);
    handle.signal(WORD, "b");

    assertThat(result(handle)).isEqualTo("[a, slept, b!]");
    assertThat(calls.all()).containsExactly("before");
    assertThat(outline(handle.history()))
        .containsExactly(
            "WorkflowStarted code",
            "ActivityCompleted before:1",
            "TimerScheduled sleep:1",
            "SignalReceived word",
            "TimerFired sleep:1",
            "SignalReceived word",
            "WorkflowCompleted");
  }

  private static boolean slept(Context ctx, List<String> heard) {
    ctx.sleep(HOUR);
    return heard.add("slept");
  }

  @Test
  void a_run_whose_activity_runs_stays() throws Exception {
    var gate = world.gate();
    engine =
        world.open(
            r ->
                r.workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, _) ->
                        ctx.run(
                            "held",
                            String.class,
                            () -> {
                              calls.add("held");
                              gate.pass();
                              return "done";
                            })));
    var handle = engine.start("code", "w", "");
    gate.awaitReached();
    engine.evict("w");
    engine.evict("w");
    assertThat(engine.describe("w").waitingFor()).isNotEmpty();
    gate.open();

    assertThat(result(handle)).isEqualTo("done");
    assertThat(calls.of("held")).isEqualTo(1);
  }
}
