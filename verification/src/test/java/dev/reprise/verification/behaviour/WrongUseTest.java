package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Name;
import dev.reprise.Promise;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Steps;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Mistakes in workflow code and in setting up an engine: each has its code and says what to do. */
class WrongUseTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);

  @RegisterExtension final World world = new World(StoreKind.MEMORY);
  private final Calls calls = new Calls();
  private Engine engine;

  /** What the mistake says, caught by the workflow itself. */
  private RepriseException caught(Mistake mistake) {
    var caught = new AtomicReference<RepriseException>();
    engine =
        world.open(
            r ->
                r.workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      try {
                        mistake.make(ctx);
                      } catch (RepriseException e) {
                        caught.set(e);
                      }
                      return "went on";
                    }));
    assertThat(result(engine.start("code", "w", ""))).isEqualTo("went on");
    assertThat(caught.get()).isNotNull();
    return caught.get();
  }

  private interface Mistake {
    void make(Context ctx) throws Exception;
  }

  private static void assertSays(RepriseException e, ErrorCode code, String... texts) {
    assertThat(e.code()).isEqualTo(code);
    assertThat(e).hasMessageStartingWith(code + " ").hasMessageContainingAll(texts);
    assertThat(e).hasMessageContaining("docs/reference/errors.md#" + code.name().toLowerCase());
  }

  // ---- activities -------------------------------------------------------------------------------

  @Test
  void an_activity_type_that_was_not_registered_is_R103() {
    assertSays(
        caught(ctx -> ctx.activities(Runnable.class)),
        ErrorCode.R103,
        "java.lang.Runnable",
        "activities(…)");
  }

  @Test
  void a_class_where_an_interface_is_needed_is_R103() {
    assertSays(
        caught(ctx -> ctx.activities(Calls.class)), ErrorCode.R103, "Calls", "not an interface");
  }

  @Test
  void two_objects_for_one_activity_type_are_R103() {
    var caught = new AtomicReference<RepriseException>();
    Runnable nothing = () -> {};
    engine =
        world.open(
            r ->
                r.activities(nothing, nothing)
                    .workflow(
                        "code",
                        String.class,
                        String.class,
                        (ctx, _) -> {
                          caught.set(
                              catchThrowableOfType(
                                  RepriseException.class, () -> ctx.activities(Runnable.class)));
                          return "";
                        }));
    result(engine.start("code", "w", ""));

    assertSays(caught.get(), ErrorCode.R103, "2 registered objects");
  }

  private static ActivityOptions id(String id) {
    return ActivityOptions.defaults().id(id);
  }

  private void step(Context ctx, ActivityOptions options, String name) {
    ctx.with(options).run(name, () -> calls.add(name));
  }

  @Test
  void an_id_given_twice_is_R104_and_the_second_activity_does_not_run() {
    var e =
        caught(
            ctx -> {
              step(ctx, id("charge-7"), "first");
              step(ctx, id("charge-7"), "second");
            });

    assertSays(e, ErrorCode.R104, "'charge-7'");
    assertThat(calls.all()).containsExactly("first");
  }

  @Test
  void an_id_that_the_engine_has_given_is_R104() {
    var e =
        caught(
            ctx -> {
              step(ctx, ActivityOptions.defaults(), "charge");
              step(ctx, id("charge:1"), "second");
            });

    assertSays(e, ErrorCode.R104, "'charge:1'");
    assertThat(calls.all()).containsExactly("charge");
  }

  @Test
  void an_id_that_the_engine_would_give_is_R104() {
    var e =
        caught(
            ctx -> {
              step(ctx, id("sleep:1"), "first");
              ctx.sleep(Duration.ofSeconds(1));
            });

    assertSays(e, ErrorCode.R104, "'sleep:1'");
  }

  @Test
  void a_lambda_where_a_method_reference_is_needed_is_R109() {
    assertSays(
        caught(ctx -> ctx.run((String in) -> calls.returning("lambda", in), "x")),
        ErrorCode.R109,
        "WrongUseTest",
        "label");
    assertThat(calls.all()).isEmpty();
  }

  @Test
  void an_object_where_a_method_reference_is_needed_is_R109() {
    var step =
        new Steps.Step0<String>() {
          private static final long serialVersionUID = 1L;

          @Override
          public String apply() {
            return calls.returning("object", "x");
          }
        };

    assertSays(caught(ctx -> ctx.run(step)), ErrorCode.R109, "not a bound method reference");
    assertThat(calls.all()).isEmpty();
  }

  // ---- threads ----------------------------------------------------------------------------------

  @Test
  void the_context_on_another_thread_is_R111() {
    var e =
        caught(
            ctx -> {
              var other = CompletableFuture.supplyAsync(() -> code(() -> ctx.uuid()));
              throw other.join();
            });

    assertSays(e, ErrorCode.R111, "'w'", "ctx.async");
  }

  private static RepriseException code(ThrowingCallable call) {
    var e = catchThrowableOfType(RepriseException.class, call);
    return e == null ? new RepriseException(ErrorCode.R119, "nothing was thrown") : e;
  }

  @Test
  void every_method_of_the_context_on_another_thread_is_R111() {
    var codes = new AtomicReference<List<ErrorCode>>();
    engine =
        world.open(
            r ->
                r.activities(calls)
                    .workflow(
                        "code",
                        String.class,
                        String.class,
                        (ctx, _) -> {
                          var promise = ctx.async(() -> "");
                          codes.set(
                              CompletableFuture.supplyAsync(() -> foreign(ctx, promise)).join());
                          return "went on";
                        }));

    assertThat(result(engine.start("code", "w", ""))).isEqualTo("went on");
    assertThat(codes.get()).hasSize(17).containsOnly(ErrorCode.R111);
    assertThat(calls.all()).isEmpty();
  }

  private List<ErrorCode> foreign(Context ctx, Promise<String> promise) {
    List<ThrowingCallable> all =
        List.of(
            () -> ctx.run("step", () -> calls.add("step")),
            () -> ctx.run(calls::add, "x"),
            () -> step(ctx, id("x"), "step"),
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
    return all.stream().map(call -> code(call).code()).toList();
  }

  @Test
  void the_random_numbers_of_the_context_on_another_thread_are_R111() {
    assertSays(
        caught(
            ctx -> {
              var random = ctx.random();
              throw CompletableFuture.supplyAsync(() -> code(random::nextInt)).join();
            }),
        ErrorCode.R111,
        "thread");
  }

  @Test
  void the_context_inside_an_activity_is_R111_and_is_not_tried_again() {
    for (var options :
        List.of(
            ActivityOptions.defaults(),
            ActivityOptions.defaults().timeout(Duration.ofSeconds(5)))) {
      var e = inActivity(options);

      assertThat(e.failureMessage()).startsWith("R111");
      assertThat(e.attempts()).isEqualTo(1);
    }
  }

  private ActivityFailed inActivity(ActivityOptions options) {
    var caught = new AtomicReference<ActivityFailed>();
    engine =
        world.open(
            r ->
                r.workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      caught.set(
                          catchThrowableOfType(
                              ActivityFailed.class,
                              () ->
                                  ctx.with(options)
                                      .run("outer", () -> ctx.run("inner", () -> {}))));
                      return "";
                    }));
    result(engine.start("code", "w" + options.timeout().isPresent(), ""));
    world.crash();
    return caught.get();
  }

  @Test
  void the_current_context_outside_of_workflow_code_is_R111() {
    assertSays(code(Context::current), ErrorCode.R111, "outside of workflow code");
  }

  @Test
  void a_task_of_a_scope_that_inherits_the_context_may_not_use_it() {
    var e =
        caught(
            ctx -> {
              throw inScope(() -> code(() -> Context.current().uuid()));
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

  // ---- registration -----------------------------------------------------------------------------

  private static RepriseException registering(Consumer<Reprise> setup) {
    return code(() -> setup.accept(Reprise.inMemory()));
  }

  static final class Raw implements Workflow {
    @Override
    public Object run(Context ctx, Object input) {
      return input;
    }
  }

  static final class Generic<T> implements Workflow<T, T> {
    @Override
    public T run(Context ctx, T input) {
      return input;
    }
  }

  static final class HalfGeneric<T> implements Workflow<String, T> {
    @Override
    public T run(Context ctx, String input) {
      return null;
    }
  }

  @Name("same")
  static final class First implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String input) {
      return input;
    }
  }

  @Name("same")
  static final class Second implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String input) {
      return input;
    }
  }

  @Test
  void a_lambda_without_a_name_is_R120() {
    Workflow<String, String> lambda = (_, in) -> in;

    assertSays(registering(r -> r.workflow(lambda)), ErrorCode.R120, "lambda", "workflow(\"name\"");
  }

  @Test
  void types_that_cannot_be_read_are_R120() {
    for (var workflow : List.of(new Generic<String>(), new HalfGeneric<String>(), new Raw())) {
      assertSays(
          registering(r -> r.workflow(workflow)),
          ErrorCode.R120,
          workflow.getClass().getSimpleName(),
          "Input.class");
    }
  }

  @Test
  void two_workflows_of_one_name_are_R120() {
    assertSays(
        registering(r -> r.workflow(new First()).workflow(new Second())),
        ErrorCode.R120,
        "'same'",
        "@Name");
  }

  @Test
  void a_name_that_is_blank_or_too_long_is_R120() {
    Workflow<String, String> echo = (_, in) -> in;

    for (var name : List.of("", "  ", "x".repeat(256))) {
      assertSays(
          registering(r -> r.workflow(name, String.class, String.class, echo)),
          ErrorCode.R120,
          "1 to 255");
    }
  }

  @Test
  void options_that_make_no_sense_are_refused_at_once() {
    for (ThrowingCallable mistake :
        List.<ThrowingCallable>of(
            () -> ActivityOptions.defaults().id(" "),
            () -> ActivityOptions.defaults().timeout(Duration.ZERO),
            () -> RetryPolicy.defaults().jitter(1.1),
            () -> RetryPolicy.defaults().attempts(-1),
            () -> RetryPolicy.fixed(Duration.ofSeconds(-1), 1),
            () -> Signal.of(" ", String.class),
            () -> Reprise.inMemory().activeRuns(0),
            () -> Reprise.inMemory().memoryBudget(-1))) {
      assertThat(catchThrowableOfType(IllegalArgumentException.class, mistake)).isNotNull();
    }
  }

  // ---- uncaught ---------------------------------------------------------------------------------

  @Test
  void a_mistake_that_nobody_catches_blocks_the_run_and_loses_nothing() {
    engine =
        world.open(
            r ->
                r.workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      step(ctx, id("a"), "first");
                      step(ctx, id("a"), "second");
                      return "";
                    }));
    var handle = engine.start("code", "w", "");

    var blocked = catchThrowableOfType(WorkflowBlocked.class, () -> result(handle));

    assertThat(blocked.reason()).startsWith("R104");
    assertThat(handle.status()).isEqualTo(Status.BLOCKED);
    world.crash();
    var mended =
        world.open(
            r ->
                r.workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      step(ctx, id("a"), "first");
                      step(ctx, id("b"), "second");
                      return "mended";
                    }));
    mended.resume("w");
    assertThat(result(mended, "w")).isEqualTo("mended");
    assertThat(calls.all()).containsExactly("first", "second");
  }
}
