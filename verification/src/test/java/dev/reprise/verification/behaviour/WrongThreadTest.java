package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.Mistakes.assertSays;
import static dev.reprise.verification.behaviour.Mistakes.caught;
import static dev.reprise.verification.behaviour.Mistakes.thrownBy;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Promise;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The context belongs to the code of its workflow and to nobody else (R111). */
class WrongThreadTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);

  @RegisterExtension final World world = new World(StoreKind.MEMORY);
  private final Calls calls = new Calls();
  private int runs;

  @Test
  void the_context_on_another_thread_is_R111() {
    var e =
        caught(
            world,
            ctx -> {
              var other = CompletableFuture.supplyAsync(() -> thrownBy(() -> ctx.uuid()));
              throw other.join();
            });

    assertSays(e, ErrorCode.R111, "'w'", "ctx.async");
  }

  @Test
  void every_method_of_the_context_on_another_thread_is_R111() {
    var codes = new AtomicReference<List<ErrorCode>>();
    world.open(
        r ->
            r.activities(calls)
                .workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      var promise = ctx.async(() -> "");
                      codes.set(CompletableFuture.supplyAsync(() -> foreign(ctx, promise)).join());
                      return "went on";
                    }));

    assertThat(result(world.engine().start("code", "w", ""))).isEqualTo("went on");
    assertThat(codes.get()).hasSize(17).containsOnly(ErrorCode.R111);
    assertThat(calls.all()).isEmpty();
  }

  private List<ErrorCode> foreign(Context ctx, Promise<String> promise) {
    List<ThrowingCallable> all =
        List.of(
            () -> ctx.run("step", () -> calls.add("step")),
            () -> ctx.run(calls::add, "x"),
            () -> ctx.with(ActivityOptions.defaults().id("x")).run("step", () -> calls.add("step")),
            () -> ctx.async(() -> ""),
            () -> ctx.all(List.of(promise)),
            () -> promise.await(),
            () -> promise.isDone(),
            () -> ctx.await(() -> true),
            () -> ctx.withTimeout(Duration.ofSeconds(1), () -> ""),
            () -> ctx.sleep(Duration.ofSeconds(1)),
            () -> ctx.sleepUntil(World.START.plusSeconds(1)),
            () -> ctx.receive(WORD),
            () -> ctx.receiveAny(),
            () -> ctx.now(),
            () -> ctx.random(),
            () -> ctx.replaying(),
            () -> ctx.patched("change"));
    return all.stream().map(call -> thrownBy(call).code()).toList();
  }

  @Test
  void the_random_numbers_of_the_context_on_another_thread_are_R111() {
    assertSays(
        caught(
            world,
            ctx -> {
              var random = ctx.random();
              throw CompletableFuture.supplyAsync(() -> thrownBy(random::nextInt)).join();
            }),
        ErrorCode.R111,
        "thread");
  }

  @Test
  void the_context_inside_an_activity_is_R111_and_blocks_the_run() {
    assertBlocked((ctx, _) -> ctx.run("outer", String.class, () -> inner(ctx)));
    assertBlocked(
        (ctx, _) ->
            ctx.with(ActivityOptions.defaults().timeout(Duration.ofSeconds(5)))
                .run("outer", String.class, () -> inner(ctx)));
    assertBlocked(
        (ctx, _) ->
            ctx.run(
                "outer",
                String.class,
                () -> CompletableFuture.supplyAsync(() -> inner(ctx)).get()));
    assertThat(calls.all()).isEmpty();
  }

  @Test
  void whoever_wraps_R111_blocks_the_run_all_the_same() {
    assertBlocked((ctx, _) -> CompletableFuture.supplyAsync(() -> inner(ctx)).get());
    assertBlocked((ctx, _) -> CompletableFuture.supplyAsync(() -> inner(ctx)).join());
    assertBlocked(
        (ctx, _) -> {
          try {
            return CompletableFuture.supplyAsync(() -> inner(ctx)).get();
          } catch (ExecutionException e) {
            throw new IllegalStateException("wrapped once more", e);
          }
        });
    assertThat(calls.all()).isEmpty();
  }

  private String inner(Context ctx) {
    return ctx.run("inner", String.class, () -> calls.returning("inner", "x"));
  }

  private void assertBlocked(Workflow<String, String> code) {
    world.openWith(code);
    var handle = world.engine().start("code", "w" + runs++, "");

    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle)).reason())
        .startsWith("R111");
    assertThat(outline(handle.history())).containsExactly("WorkflowStarted code");
    world.crash();
  }

  @Test
  void a_promise_of_another_run_is_R111() throws Exception {
    var leaked = new CompletableFuture<Promise<String>>();
    world.open(
        r ->
            r.workflow(
                    "leak",
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      leaked.complete(ctx.async(() -> ctx.receive(WORD)));
                      return ctx.receive(WORD);
                    })
                .workflow(
                    "use",
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      var promise = leaked.join();
                      return thrownBy(() -> ctx.all(List.of(promise))).code()
                          + " "
                          + thrownBy(promise::await).code();
                    }));
    world.engine().start("leak", "w1", "");

    assertThat(result(world.engine().start("use", "w2", ""))).isEqualTo("R111 R111");
  }

  @Test
  void the_current_context_outside_of_workflow_code_is_R111() {
    assertSays(thrownBy(Context::current), ErrorCode.R111, "outside of workflow code");
  }

  @Test
  void a_task_of_a_scope_that_inherits_the_context_may_not_use_it() {
    var e =
        caught(
            world,
            ctx -> {
              throw inScope(() -> thrownBy(() -> Context.current().uuid()));
            });

    assertSays(e, ErrorCode.R111, "thread");
  }

  /** In a task of a structured scope. By reflection, because the class is still a preview. */
  private static RepriseException inScope(Callable<RepriseException> task) throws Exception {
    var type = Class.forName("java.util.concurrent.StructuredTaskScope");
    try (var scope = (AutoCloseable) type.getMethod("open").invoke(null)) {
      var fork = type.getMethod("fork", Callable.class);
      var subtask = fork.invoke(scope, task);
      type.getMethod("join").invoke(scope);
      var get = Class.forName("java.util.concurrent.StructuredTaskScope$Subtask").getMethod("get");
      return (RepriseException) get.invoke(subtask);
    }
  }
}
