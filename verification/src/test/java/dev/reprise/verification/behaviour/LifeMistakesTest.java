package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ChildOptions;
import dev.reprise.Client;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Key;
import dev.reprise.Promise;
import dev.reprise.Query;
import dev.reprise.RepriseException;
import dev.reprise.Scope;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.Update;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowFailed;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad input to the later parts of a workflow's life: each with its code, and nothing lost. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LifeMistakesTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Query<String, String> ASK = Query.of("ask", String.class, String.class);
  private static final Update<String, String> TELL = Update.of("tell", String.class, String.class);

  @RegisterExtension final World world = new World(StoreKind.SQLITE);

  /** Something that a caller asks of a workflow. */
  private record Asked(String name, java.util.function.BiConsumer<Client, String> call) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Asked> everything() {
    return List.of(
        new Asked("cancel", (client, id) -> client.cancel(id, "why")),
        new Asked("terminate", (client, id) -> client.terminate(id, "why")),
        new Asked("signal", (client, id) -> client.signal(id, WORD, "x")),
        new Asked("update", (client, id) -> client.update(id, TELL, "x")),
        new Asked("resume", Client::resume),
        new Asked("query", (client, id) -> client.query(id, ASK, "x")),
        new Asked("fork", (client, id) -> client.fork(id, 1)),
        new Asked("published", (client, id) -> client.published(id, Key.of("k", String.class))),
        new Asked("describe", Client::describe),
        new Asked("history", Client::history),
        new Asked("runs", Client::runs));
  }

  @ParameterizedTest
  @MethodSource("everything")
  void an_unknown_workflow_is_told(Asked asked) {
    var engine = world.openWith((_, in) -> in);

    assertThat(catchThrowableOfType(RepriseException.class, () -> asked.call.accept(engine, "no")))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.R113))
        .hasMessageContaining("'no'");
  }

  @ParameterizedTest
  @MethodSource("everything")
  void a_closed_workflow_takes_nothing_and_can_be_looked_at(Asked asked) {
    world.play(
        (ctx, _) -> {
          ctx.onQuery(ASK, in -> in);
          ctx.run("step", () -> {});
          return "done";
        });
    var before = world.engine().history("w");
    boolean takes = everything().stream().limit(5).anyMatch(a -> a.name.equals(asked.name));

    var told =
        catchThrowableOfType(RepriseException.class, () -> asked.call.accept(world.engine(), "w"));

    if (takes) assertThat(told.code()).isEqualTo(ErrorCode.R114);
    else assertThat(told).isNull();
    assertThat(world.engine().history("w")).isEqualTo(before);
    assertThat(World.result(world.engine(), "w")).isEqualTo("done");
  }

  // ---- of the workflow's code -------------------------------------------------------------------

  /** Two of the same name. */
  static final class Twins {
    public void free(String what) {}
  }

  /** What takes two arguments. */
  static final class Pair {
    public void join(String one, int two) {}
  }

  private String blockedBy(Workflow<String, String> code) {
    world.open(
        r ->
            r.workflow("code", String.class, String.class, code)
                .activities(new Twins(), new Twins(), new Pair()));
    var run = world.engine().start("code", "w", "");
    awaitStatus(world.engine(), "w", Status.BLOCKED);
    assertThatThrownBy(run::result).isInstanceOf(WorkflowBlocked.class);
    return run.describe().blockedBy();
  }

  @Test
  void a_compensation_that_nobody_is_registered_for_is_refused_when_it_is_recorded() {
    assertThat(
            blockedBy(
                (ctx, in) -> {
                  ctx.compensate("nobody", in);
                  return "";
                }))
        .contains("R103")
        .contains("'nobody'");
  }

  @Test
  void a_compensation_that_two_are_registered_for_is_refused() {
    assertThat(
            blockedBy(
                (ctx, in) -> {
                  ctx.compensate("Twins.free", in);
                  return "";
                }))
        .contains("R103")
        .contains("2 registered methods");
  }

  @Test
  void a_compensation_with_too_few_arguments_is_refused() {
    assertThat(
            blockedBy(
                (ctx, in) -> {
                  ctx.compensate("Pair.join", in);
                  return "";
                }))
        .contains("R103")
        .contains("takes 2 arguments, not 1");
  }

  private String failure(Workflow<String, String> code) {
    var run = world.begin(code);
    return catchThrowableOfType(WorkflowFailed.class, () -> World.result(run)).getMessage();
  }

  @Test
  void going_on_as_new_in_a_branch_is_refused() {
    assertThat(failure((ctx, in) -> ctx.async(() -> ctx.<String>continueAsNew(in)).await()))
        .contains("continueAsNew belongs into the workflow's method");
  }

  @Test
  void an_attribute_of_another_type_or_without_a_name_is_refused() {
    assertThat(
            failure(
                (ctx, in) -> {
                  ctx.attribute("list", List.of(in));
                  return in;
                }))
        .contains("list");
    assertThatThrownBy(() -> StartOptions.defaults().attribute("list", List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> StartOptions.defaults().attribute(" ", "x"))
        .isInstanceOf(RepriseException.class)
        .hasMessageStartingWith("R112");
    assertThat(world.engine().describe("w").attributes()).isEmpty();
  }

  @Test
  void a_scope_is_not_used_after_its_end() {
    assertThat(
            failure(
                (ctx, in) -> {
                  var kept = new AtomicReference<Scope>();
                  ctx.scope(
                      scope -> {
                        kept.set(scope);
                        return in;
                      });
                  return kept.get().fork(() -> in).await();
                }))
        .contains("scope");
  }

  @Test
  void a_promise_of_another_run_is_refused() {
    var kept = new AtomicReference<Promise<String>>();
    world.open(
        r ->
            r.workflow(
                    "one",
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      kept.set(ctx.async(() -> ctx.receive(WORD)));
                      return kept.get().await();
                    })
                .workflow("two", String.class, String.class, (_, _) -> kept.get().await()));
    world.settle(world.engine().start("one", "1", ""));
    world.engine().start("two", "2", "");

    awaitStatus(world.engine(), "2", Status.BLOCKED);
    assertThat(world.engine().describe("2").blockedBy()).contains("R111");
    world.engine().signal("1", WORD, "still there");
    assertThat(World.result(world.engine(), "1")).isEqualTo("still there");
  }

  @Test
  void blank_ids_are_refused() {
    var engine = world.openWith((ctx, _) -> ctx.receive(WORD));
    engine.start("code", "w", "");

    for (Runnable call :
        List.<Runnable>of(
            () -> engine.start("code", " ", ""),
            () -> engine.signal("w", WORD, "x", " "),
            () -> engine.update("w", TELL, "x", " "))) {
      assertThat(catchThrowableOfType(RepriseException.class, call::run).code())
          .isEqualTo(ErrorCode.R112);
    }
    assertThatThrownBy(() -> ChildOptions.defaults().id(" "))
        .isInstanceOf(RepriseException.class)
        .hasMessageStartingWith("R112");
    assertThat(engine.count("")).isEqualTo(1);
  }

  @Test
  void a_child_id_that_is_too_long_is_told() {
    Workflow<String, String> code =
        (ctx, in) ->
            ctx.start("code", in, String.class, ChildOptions.defaults().id("x".repeat(300)))
                .result()
                .await();
    world.begin(code);
    awaitStatus(world.engine(), "w", Status.BLOCKED);
    assertThat(world.engine().describe("w").blockedBy()).contains("R112").contains("300");
  }

  @Test
  void a_query_from_where_the_code_is_not_is_told() {
    world.settle(world.begin((ctx, _) -> ctx.receive(WORD)));
    world.shutDown();
    var stranger =
        world.open(r -> r.workflow("o", String.class, String.class, (Context _, String in) -> in));

    assertThat(catchThrowableOfType(RepriseException.class, () -> stranger.query("w", ASK, "x")))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.R102));
  }
}
