package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Key;
import dev.reprise.ListQuery;
import dev.reprise.Query;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.Signal;
import dev.reprise.Update;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers can get wrong. Each has its code, says what to do, and loses nothing. */
@ParameterizedClass(name = "{0}")
@EnumSource
class BadInputTest {
  private static final Signal<Object> ANYTHING = Signal.of("anything", Object.class);
  private static final Signal<Integer> NUMBER = Signal.of("anything", Integer.class);
  private static final String LARGE = "x".repeat((2 << 20) + 1);

  @RegisterExtension final World world;
  private final Calls calls = new Calls();

  BadInputTest(StoreKind kind) {
    this.world = new World(kind);
  }

  static final class Unregistered implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String input) {
      return input;
    }
  }

  private Engine open() {
    return world.open(BadInputTest::register);
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

  // ---- starts -----------------------------------------------------------------------------------

  @Test
  void an_unknown_workflow_is_R102_and_the_message_names_the_known_ones() {
    var engine = open();

    assertRefused(
        () -> engine.start("unknown", "w", ""), ErrorCode.R102, "'unknown'", "echo", "receive");
    assertRefused(
        () -> engine.start(Unregistered.class, "w", ""), ErrorCode.R102, "'Unregistered'");
    assertThat(engine.list(ListQuery.all())).isEmpty();
  }

  @Test
  void a_workflow_id_in_use_with_other_input_is_R105_and_the_run_goes_on() {
    var engine = open();
    var handle = engine.start("receive", "w", "one");

    assertRefused(() -> engine.start("receive", "w", "two"), ErrorCode.R105, "'w'", "receive");
    assertRefused(() -> engine.start("echo", "w", "one"), ErrorCode.R105, "'w'", "receive");
    handle.signal(ANYTHING, "still there");

    assertThat(result(handle)).isEqualTo("still there");
    assertRefused(() -> engine.start("receive", "w", "two"), ErrorCode.R105, "'w'");
  }

  @Test
  void a_workflow_id_in_use_by_another_workflow_is_R105_and_says_so() {
    var engine = open();
    engine.start("receive", "w", "one");

    assertRefused(
        () -> engine.start("echo", "w", "one"),
        ErrorCode.R105,
        "in use by the workflow 'receive'",
        "to be given to 'echo'");
    assertThatThrownBy(() -> engine.start("echo", "w", "one"))
        .hasMessageNotContaining("other input");
  }

  /** The checker of nulls does not see callers in other modules. */
  private static String none() {
    return Map.<String, String>of().get("none");
  }

  @Test
  void a_workflow_id_that_is_null_is_R112_in_every_call() {
    var engine = open();
    var query = Query.of("q", String.class, String.class);
    var update = Update.of("u", String.class, String.class);
    List<ThrowingCallable> calls =
        List.of(
            () -> engine.start("echo", none(), ""),
            () -> engine.handle(none(), String.class),
            () -> engine.signal(none(), ANYTHING, ""),
            () -> engine.cancel(none(), "why"),
            () -> engine.terminate(none(), "why"),
            () -> engine.describe(none()),
            () -> engine.history(none()),
            () -> engine.runs(none()),
            () -> engine.resume(none()),
            () -> engine.query(none(), query, ""),
            () -> engine.update(none(), update, ""),
            () -> engine.published(none(), Key.of("k", String.class)));

    for (var call : calls) assertRefused(call, ErrorCode.R112, "the workflow id is null");
  }

  @Test
  void the_same_start_again_is_the_existing_run_be_it_open_or_closed() {
    var engine = open();
    var first = engine.start("receive", "w", List.of(1, "a"));
    var second = engine.start("receive", "w", List.of(1, "a"));
    first.signal(ANYTHING, "x");
    result(second);
    world.shutDown();
    var third = open().start("receive", "w", List.of(1, "a"));

    assertThat(second.runId()).isEqualTo(first.runId());
    assertThat(third.runId()).isEqualTo(first.runId());
    assertThat(result(third)).isEqualTo("x");
  }

  @Test
  void a_blank_or_too_long_workflow_id_is_R112() {
    var engine = open();

    assertRefused(() -> engine.start("echo", "", ""), ErrorCode.R112, "blank");
    assertRefused(() -> engine.start("echo", " \t", ""), ErrorCode.R112, "blank");
    assertRefused(() -> engine.start("echo", "x".repeat(256), ""), ErrorCode.R112, "256", "255");
    assertThat(result(engine.start("echo", "x".repeat(255), "fits"))).isEqualTo("fits");
    assertThat(result(engine.start("echo", "ünïcödé ☃ '\"%_", "fits"))).isEqualTo("fits");
  }

  @Test
  void workflow_ids_are_told_apart_by_every_character() {
    var engine = open();
    var ids = List.of("w", "W", "w ", " w", "w\t", "w\1", "w\1a", "w\1b", "ẃ", "w\u0301", "'w'");

    for (var id : ids) engine.start("echo", id, "input of " + id);

    for (var id : ids) assertThat(result(engine, id)).as(id).isEqualTo("input of " + id);
    assertThat(engine.list(ListQuery.all()))
        .extracting(RunDescription::workflowId)
        .containsExactlyInAnyOrderElementsOf(ids);
  }

  // ---- sizes ------------------------------------------------------------------------------------

  @Test
  void input_over_the_limit_is_R106_and_starts_nothing() {
    var engine = open();

    assertRefused(
        () -> engine.start("echo", "w", LARGE),
        ErrorCode.R106,
        "the input of 'w'",
        "2,097,155",
        "2,097,152");
    assertThat(engine.list(ListQuery.all())).isEmpty();
    assertThat((String) result(engine.start("echo", "w", LARGE.substring(3))))
        .hasSize((2 << 20) - 2);
  }

  @Test
  void a_signal_over_the_limit_is_R106_and_the_run_still_waits() {
    var engine = open();
    var handle = engine.start("receive", "w", "");

    assertRefused(
        () -> handle.signal(ANYTHING, LARGE), ErrorCode.R106, "the value of signal 'anything'");
    handle.signal(ANYTHING, "small");

    assertThat(result(handle)).isEqualTo("small");
  }

  @Test
  void a_result_over_the_limit_is_R106_blocks_the_run_and_loses_nothing() {
    var engine = world.open(r -> registerResult(r, LARGE));
    var handle = engine.start("result", "w", "");

    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle)).reason())
        .startsWith("R106 the result of the workflow");
    world.crash();
    var mended = world.open(r -> registerResult(r, "small"));
    mended.resume("w");

    assertThat(result(mended, "w")).isEqualTo("small");
    assertThat(calls.all()).containsExactly("step");
  }

  private void registerResult(Reprise reprise, Object result) {
    reprise.workflow(
        "result",
        Object.class,
        Object.class,
        (ctx, _) -> {
          ctx.run("step", () -> calls.add("step"));
          return result;
        });
  }

  @Test
  void many_large_values_in_one_run_are_fine() {
    var engine =
        world.open(
            r ->
                r.workflow(
                    "many",
                    Integer.class,
                    Integer.class,
                    (ctx, count) -> {
                      int sum = 0;
                      for (int i = 0; i < count; i++) {
                        sum += ctx.run("large", String.class, () -> LARGE.substring(10)).length();
                      }
                      return sum + ctx.receive(NUMBER);
                    }));
    var handle = engine.start("many", "w", 5);
    world.settle(handle);
    engine.evict("w");
    handle.signal(NUMBER, 1);

    assertThat(result(handle)).isEqualTo(5 * (LARGE.length() - 10) + 1);
  }

  // ---- others -----------------------------------------------------------------------------------

  @Test
  void whatever_is_asked_of_an_unknown_workflow_is_R113() {
    var engine = open();
    List<ThrowingCallable> all =
        List.of(
            () -> engine.signal("nobody", ANYTHING, 1),
            () -> engine.handle("nobody", String.class),
            () -> engine.handle(Unregistered.class, "nobody"),
            () -> engine.describe("nobody"),
            () -> engine.history("nobody"),
            () -> engine.resume("nobody"));

    for (var call : all) assertRefused(call, ErrorCode.R113, "'nobody'");
  }

  @Test
  void a_signal_to_a_closed_workflow_is_R114_and_leaves_no_trace() {
    var engine = open();
    var handle = engine.start("echo", "w", "x");
    result(handle);
    var history = handle.history();

    assertRefused(() -> handle.signal(ANYTHING, 1), ErrorCode.R114, "'w'", "closed");
    assertRefused(() -> engine.signal("w", ANYTHING, 1), ErrorCode.R114, "'w'", "closed");
    assertThat(handle.history()).isEqualTo(history);
  }
}
