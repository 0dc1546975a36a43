package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.Mistakes.assertSays;
import static dev.reprise.verification.behaviour.Mistakes.caught;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Name;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.Steps;
import dev.reprise.WorkflowBlocked;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Activities that are not there, ids given twice, lambdas where they cannot be. */
class WrongUseTest {
  @RegisterExtension final World world = new World(StoreKind.MEMORY);
  private final Calls calls = new Calls();

  @Test
  void an_activity_type_that_was_not_registered_is_R103() {
    assertSays(
        caught(world, ctx -> ctx.activities(Runnable.class)),
        ErrorCode.R103,
        "java.lang.Runnable",
        "activities(…)");
  }

  @Test
  void a_class_where_an_interface_is_needed_is_R103() {
    assertSays(
        caught(world, ctx -> ctx.activities(Calls.class)),
        ErrorCode.R103,
        "Calls",
        "not an interface");
  }

  @Test
  void two_objects_for_one_activity_type_are_R103() {
    var caught = new AtomicReference<RepriseException>();
    Runnable nothing = () -> {};
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
    result(world.engine().start("code", "w", ""));

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
            world,
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
            world,
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
            world,
            ctx -> {
              step(ctx, id("sleep:1"), "first");
              ctx.sleep(Duration.ofSeconds(1));
            });

    assertSays(e, ErrorCode.R104, "'sleep:1'");
  }

  @Test
  void a_lambda_where_a_method_reference_is_needed_is_R109() {
    assertSays(
        caught(world, ctx -> ctx.run((String in) -> calls.returning("lambda", in), "x")),
        ErrorCode.R109,
        "WrongUseTest",
        "label");
    assertThat(calls.all()).isEmpty();
  }

  @Test
  void a_method_of_an_anonymous_class_has_no_name_and_is_R109() {
    var anonymous =
        new Object() {
          String pay(String what) {
            return calls.returning("paid", what);
          }
        };

    assertSays(
        caught(world, ctx -> ctx.run(anonymous::pay, "x")),
        ErrorCode.R109,
        "anonymous class",
        "method pay",
        "@Name");
    assertThat(calls.all()).isEmpty();
  }

  @Test
  void a_method_of_an_anonymous_class_may_have_a_name_of_its_own() {
    var anonymous =
        new Object() {
          @Name("refund")
          String refund(String what) {
            return calls.returning("refunded", what);
          }
        };

    assertThat(world.play((ctx, _) -> ctx.run(anonymous::refund, "x"))).isEqualTo("x");
    assertThat(calls.all()).containsExactly("refunded");
  }

  /** What an anonymous object does for an interface is named by that. */
  interface Tills {
    String pay(String what);
  }

  @Test
  void an_anonymous_object_is_found_by_its_interface() {
    var tills =
        new Tills() {
          @Override
          public String pay(String what) {
            return calls.returning("paid", what);
          }
        };
    world.open(
        r ->
            r.activities(tills)
                .workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, in) -> ctx.activities(Tills.class).pay(in)));

    assertThat(result(world.engine().start("code", "w", "x"))).isEqualTo("x");
    assertThat(world.engine().history("w"))
        .anyMatch(event -> event.subject().equals("Tills.pay:1"));
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

    assertSays(caught(world, ctx -> ctx.run(step)), ErrorCode.R109, "not a bound method reference");
    assertThat(calls.all()).isEmpty();
  }

  @Test
  void a_mistake_that_nobody_catches_blocks_the_run_and_loses_nothing() {
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
    var handle = world.engine().start("code", "w", "");

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
