package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Handle;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Code that meets the sentinel by which a run leaves memory. Whatever it does with it, nothing of
 * that is recorded, and later it goes on as if nothing had been.
 */
@ParameterizedClass(name = "{0}")
@EnumSource
class SentinelTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world;
  private final Calls calls = new Calls();

  SentinelTest(StoreKind kind) {
    this.world = new World(kind);
  }

  private Handle<Object> begin(Workflow<String, String> code) {
    var handle = world.begin(code);
    world.settle(handle);
    return handle;
  }

  private void assertUnaware(Workflow<String, String> code, String result, String... activities) {
    var handle = begin(code);
    world.evict(handle);
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

    world.evict(handle);

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
    world.open(
        r ->
            r.workflow("code", String.class, String.class, stubborn)
                .workflow("echo", String.class, String.class, (_, in) -> in));
    var ids = List.of("w1", "w2", "w3", "w4");
    for (var id : ids) world.settle(world.engine().start("code", id, ""));
    ids.forEach(world.engine()::evict);
    Await.until("all are out of memory", () -> world.engine().runsInMemory() == 0);

    assertThat(result(world.engine().start("echo", "e", "others go on"))).isEqualTo("others go on");
    for (var id : ids) world.engine().signal(id, WORD, "hello " + id);
    for (var id : ids) assertThat(result(world.engine(), id)).isEqualTo("hello " + id);
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
    var handle = world.engine().start("code", "w", "");
    world.settle(handle);
    world.time().advance(HOUR);
    awaitEvents(world.engine(), "w", "ActivityCompleted", 1);
    handle.signal(WORD, "hello");

    assertThat(result(handle)).isEqualTo("hello");
    assertThat(calls.all()).containsExactly("step", "finally");
  }
}
