package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.Mistakes.assertSays;
import static dev.reprise.verification.behaviour.Mistakes.thrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Name;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Workflow;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.WakeupMode;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Mistakes in setting up an engine (R120), and options that make no sense. */
class RegistrationTest {
  private static RepriseException registering(Consumer<Reprise> setup) {
    return thrownBy(() -> setup.accept(Reprise.inMemory()));
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
  void what_has_no_activities_is_R120() {
    Runnable object = () -> {};

    assertSays(
        registering(r -> r.activities(List.of(object))),
        ErrorCode.R120,
        "java.util.",
        "one by one");
    assertSays(
        registering(r -> r.activities((Object) new Object[] {object})),
        ErrorCode.R120,
        "java.lang.Object[]");
    assertSays(registering(r -> r.activities(Runnable.class)), ErrorCode.R120, "a java.lang.Class");
    assertSays(registering(r -> r.activities("x")), ErrorCode.R120, "a java.lang.String");
    assertSays(registering(r -> r.activities(object, null)), ErrorCode.R120, "null was given");
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
  void an_engine_without_workflows_is_R120() {
    assertSays(registering(Reprise::start), ErrorCode.R120, "workflow(…)", "client()");
  }

  @Test
  void a_client_with_workflows_or_activities_is_R120() {
    Runnable mail = () -> {};

    assertSays(registering(r -> r.workflow(new First()).client()), ErrorCode.R120, "runs nothing");
    assertSays(registering(r -> r.activities(mail).client()), ErrorCode.R120, "runs nothing");
    assertSays(registering(r -> r.workflow(new First()).visit()), ErrorCode.R120, "runs nothing");
  }

  @Test
  void a_client_of_a_store_for_one_process_is_R120() {
    assertSays(registering(Reprise::client), ErrorCode.R120, "PostgreSQL");
  }

  @Test
  void wake_ups_change_nothing_where_nobody_else_is() {
    for (var mode : WakeupMode.values()) {
      try (var engine = Reprise.inMemory().wakeups(mode).workflow(new First()).start()) {
        assertThat(engine.start(First.class, "order-7", "hello").result()).isEqualTo("hello");
      }
    }
  }

  @Test
  void options_that_make_no_sense_are_refused_at_once() {
    for (ThrowingCallable mistake :
        List.<ThrowingCallable>of(
            () -> ActivityOptions.defaults().timeout(Duration.ZERO),
            () -> RetryPolicy.defaults().jitter(1.1),
            () -> RetryPolicy.defaults().attempts(-1),
            () -> RetryPolicy.fixed(Duration.ofSeconds(-1), 1),
            () -> Reprise.inMemory().activeRuns(0),
            () -> Reprise.inMemory().memoryBudget(-1),
            () -> Reprise.inMemory().lease(Duration.ofMillis(999)),
            () -> Reprise.inMemory().callTimeout(Duration.ZERO))) {
      assertThat(catchThrowableOfType(IllegalArgumentException.class, mistake)).isNotNull();
    }
  }
}
