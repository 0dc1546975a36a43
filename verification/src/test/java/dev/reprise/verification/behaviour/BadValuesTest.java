package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ErrorCode;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.WorkflowBlocked;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
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
  void a_result_of_an_activity_that_cannot_be_written_is_R107_and_blocks_the_run() {
    var mended = new AtomicBoolean();
    var engine =
        world.open(
            r ->
                r.retry(RetryPolicy.none())
                    .workflow(
                        "code",
                        Object.class,
                        Object.class,
                        (ctx, _) ->
                            ctx.run(
                                "endless",
                                Object.class,
                                () -> mended.get() ? calls.returning("x", "fine") : endless())));
    var handle = engine.start("code", "w", "");

    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle)).reason())
        .startsWith("R107 the result of endless:1");
    assertThat(outline(handle.history())).containsExactly("WorkflowStarted code");
    mended.set(true);
    handle.resume();
    assertThat(result(handle)).isEqualTo("fine");
  }

  record NoValue(String name, Thread thread) {}

  @Test
  void a_result_of_a_type_that_does_not_come_back_is_refused_before_the_activity_runs() {
    var engine =
        world.open(
            r ->
                r.workflow(
                    "code",
                    Object.class,
                    Object.class,
                    (ctx, _) ->
                        ctx.run(
                            "step",
                            NoValue.class,
                            () -> {
                              calls.add("step");
                              return new NoValue("a", Thread.currentThread());
                            })));
    var handle = engine.start("code", "w", "");

    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle)).reason())
        .startsWith("R107 the result of step:1 cannot be written as ")
        .contains("'thread'", "java.lang.Thread");
    assertThat(calls.all()).isEmpty();
  }

  @Test
  void a_result_of_a_workflow_that_cannot_be_written_is_R107_and_blocks_the_run() {
    var engine =
        world.open(r -> r.workflow("code", Object.class, Object.class, (_, _) -> endless()));
    var handle = engine.start("code", "w", "");

    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle)).reason())
        .startsWith("R107 the result of the workflow");
  }

  @Test
  void a_workflow_whose_types_do_not_come_back_is_refused_when_it_is_registered() {
    assertRefused(
        () ->
            world.open(r -> r.workflow("code", NoValue.class, Object.class, (_, in) -> in.name())),
        ErrorCode.R107,
        "the input of workflow 'code'",
        "'thread'");
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
  void a_signal_that_the_waiting_code_cannot_read_is_R108_for_its_sender() {
    var engine = open();
    var handle = engine.start("number", "w", 1);
    world.settle(handle);

    assertRefused(
        () -> handle.signal(ANYTHING, "text"), ErrorCode.R108, "'anything'", "java.lang.Integer");
    handle.signal(ANYTHING, 7);
    assertThat(result(handle)).isEqualTo(7);
  }

  @Test
  void a_signal_that_came_before_and_cannot_be_read_is_R108_and_blocks_the_run() {
    var gate = world.gate();
    var engine =
        world.open(
            r ->
                r.workflow(
                    "number",
                    Integer.class,
                    Integer.class,
                    (ctx, _) -> {
                      ctx.run("gate", gate::pass);
                      return ctx.receive(NUMBER);
                    }));
    var handle = engine.start("number", "w", 1);
    handle.signal(ANYTHING, "text");
    gate.open();

    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle)).reason())
        .startsWith("R108 the signal 'anything' cannot be read as java.lang.Integer");
    assertThat(outline(handle.history()))
        .startsWith("WorkflowStarted number", "SignalReceived anything")
        .hasSize(3);
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
