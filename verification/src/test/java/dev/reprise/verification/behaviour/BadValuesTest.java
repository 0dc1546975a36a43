package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ActivityFailed;
import dev.reprise.ErrorCode;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.WorkflowBlocked;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.util.ArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Values that cannot be written or read. Each has its code, says which, and loses nothing. */
@ParameterizedClass(name = "{0}")
@EnumSource
class BadValuesTest {
  private static final Signal<Object> ANYTHING = Signal.of("anything", Object.class);
  private static final Signal<Integer> NUMBER = Signal.of("anything", Integer.class);

  @RegisterExtension final World world;
  private final Calls calls = new Calls();

  BadValuesTest(StoreKind kind) {
    this.world = new World(kind);
  }

  /** Something that no codec can write. */
  private static Object endless() {
    var list = new ArrayList<Object>();
    list.add(list);
    return list;
  }

  private Engine open() {
    return world.open(BadValuesTest::register);
  }

  private static void register(Reprise reprise) {
    reprise
        .workflow("echo", Object.class, Object.class, (_, in) -> in)
        .workflow("receive", Object.class, Object.class, (ctx, _) -> ctx.receive(ANYTHING))
        .workflow("number", Integer.class, Integer.class, (ctx, _) -> ctx.receive(NUMBER));
  }

  private static void assertRefused(ThrowingCallable call, ErrorCode code, String... texts) {
    var e = catchThrowableOfType(RepriseException.class, call);
    assertThat(e).as("nothing was thrown").isNotNull();
    assertThat(e.code()).isEqualTo(code);
    assertThat(e).hasMessageStartingWith(code + " ").hasMessageContainingAll(texts);
  }

  @Test
  void a_value_that_cannot_be_written_is_R107() {
    var engine = open();
    var handle = engine.start("receive", "w", "");

    assertRefused(() -> engine.start("echo", "e", endless()), ErrorCode.R107, "the input of 'e'");
    assertRefused(() -> engine.start("number", "n", "text"), ErrorCode.R107, "java.lang.Integer");
    assertRefused(
        () -> handle.signal(ANYTHING, endless()), ErrorCode.R107, "the value of signal 'anything'");
    handle.signal(ANYTHING, "fine");

    assertThat(result(handle)).isEqualTo("fine");
    assertThat(engine.list(ListQuery.all())).hasSize(1);
  }

  @Test
  void an_argument_that_cannot_be_written_is_R107_and_the_activity_does_not_run() {
    var engine =
        world.open(
            r ->
                r.workflow(
                    "code",
                    Object.class,
                    Object.class,
                    (ctx, _) -> {
                      var e =
                          catchThrowableOfType(
                              RepriseException.class, () -> ctx.run(this::take, endless()));
                      return e.getMessage();
                    }));

    assertThat((String) result(engine.start("code", "w", "")))
        .startsWith("R107 an argument of BadValuesTest.take:1");
    assertThat(calls.all()).isEmpty();
  }

  String take(Object argument) {
    return calls.returning("take", "taken");
  }

  @Test
  void a_result_of_an_activity_that_cannot_be_written_is_a_failure_with_R107() {
    var engine =
        world.open(
            r ->
                r.workflow(
                    "code",
                    Object.class,
                    Object.class,
                    (ctx, _) -> {
                      var e =
                          catchThrowableOfType(
                              ActivityFailed.class,
                              () -> ctx.run("endless", Object.class, BadValuesTest::endless));
                      return e.failureMessage();
                    }));

    assertThat((String) result(engine.start("code", "w", "")))
        .startsWith("R107 the result of endless:1");
  }

  @Test
  void input_that_cannot_be_read_is_R108_and_blocks_the_run() {
    var first = open();
    world.settle(first.start("receive", "w", "text"));
    world.crash();
    var engine =
        world.open(
            r ->
                r.workflow(
                    "receive", Integer.class, Object.class, (ctx, _) -> ctx.receive(ANYTHING)));
    engine.signal("w", ANYTHING, "x");

    awaitStatus(engine, "w", Status.BLOCKED);
    assertThat(engine.describe("w").blockedBy())
        .startsWith("R108 the input cannot be read as java.lang.Integer");
    world.crash();
    var mended = open();
    mended.resume("w");
    assertThat(result(mended, "w")).isEqualTo("x");
  }

  @Test
  void a_signal_that_cannot_be_read_is_R108_and_blocks_the_run() {
    var engine = open();
    var handle = engine.start("number", "w", 1);
    handle.signal(ANYTHING, "text");

    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle)).reason())
        .startsWith("R108 the signal 'anything' cannot be read as java.lang.Integer");
    assertThat(outline(handle.history()))
        .containsExactly("WorkflowStarted number", "SignalReceived anything");
  }

  @Test
  void a_result_asked_for_as_something_else_is_R108() {
    var engine = open();
    result(engine.start("echo", "w", "text"));

    assertRefused(
        () -> result(engine.handle("w", Integer.class)), ErrorCode.R108, "java.lang.Integer");
    assertThat(result(engine, "w")).isEqualTo("text");
  }
}
