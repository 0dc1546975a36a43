package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Handle;
import dev.reprise.HandlerFailed;
import dev.reprise.Key;
import dev.reprise.Query;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.Update;
import dev.reprise.WorkflowBlocked;
import dev.reprise.engine.Engine;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Queries and updates of runs in every state. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RequestTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Query<String, Integer> COUNT =
      Query.of("count", String.class, Integer.class);
  private static final Query<String, Integer> ODD = Query.of("odd", String.class, Integer.class);
  private static final Update<String, Integer> ADD = Update.of("add", String.class, Integer.class);
  private static final Update<String, Integer> OTHER =
      Update.of("other", String.class, Integer.class);
  private static final Key<Integer> SIZE = Key.of("size", Integer.class);

  @RegisterExtension final World world;
  private final Calls calls = new Calls();

  RequestTest(StoreKind kind) {
    this.world = new World(kind);
  }

  /** Keeps a list, ends with the word that it is sent. */
  private String list(Context ctx, String in) {
    var list = new ArrayList<String>();
    ctx.onQuery(COUNT, _ -> list.size());
    ctx.onQuery(
        ODD,
        how -> {
          if (how.equals("throw")) throw new IllegalStateException("no answer");
          ctx.publish(SIZE, list.size());
          return 0;
        });
    ctx.onUpdate(
        ADD,
        item -> {
          if (item.isBlank()) throw new IllegalArgumentException("nothing to add");
        },
        item -> {
          if (item.equals("throw")) throw new IllegalStateException("cannot add");
          if (item.equals("wait")) ctx.receive(Signal.of("never", String.class));
          ctx.run("keep", () -> calls.add(item));
          list.add(item);
          ctx.publish(SIZE, list.size());
          return list.size();
        });
    ctx.compensate("clear", in);
    var word = ctx.receive(WORD);
    if (word.equals("fail")) throw new IllegalStateException("failed");
    return word.equals("next") ? ctx.continueAsNew("again") : word + list;
  }

  private Engine open() {
    return world.open(
        r ->
            r.workflow("list", String.class, String.class, this::list)
                .activity(
                    "clear",
                    String.class,
                    in -> {
                      if (in.equals("stuck")) throw new TerminalFailure("cannot clear");
                    }));
  }

  private static void assertRefused(ErrorCode code, String text, ThrowingCallable call) {
    assertThat(catchThrowableOfType(RepriseException.class, call))
        .satisfies(e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(text);
  }

  // ---- queries ----------------------------------------------------------------------------------

  @Test
  void a_query_is_answered_in_memory_out_of_memory_and_after_the_end() {
    var run = open().start("list", "w", "");
    run.update(ADD, "a");
    assertThat(run.query(COUNT, "")).isEqualTo(1);
    world.settle(run);

    world.evict(run);
    assertThat(run.query(COUNT, "")).isEqualTo(1);
    assertThat(world.engine().runsInMemory()).isZero();

    run.signal(WORD, "done");
    assertThat(World.result(run)).isEqualTo("done[a]");
    assertThat(run.query(COUNT, "")).isEqualTo(1);
    assertThat(calls.all()).containsExactly("a");
  }

  @Test
  void a_query_is_answered_by_runs_that_failed_and_were_undone_or_could_not_be() {
    var engine = open();
    for (var in : new String[] {"", "stuck"}) {
      Handle<Object> run = engine.start("list", "w" + in, in);
      run.update(ADD, "a");
      run.signal(WORD, "fail");
      var status = in.isEmpty() ? Status.FAILED : Status.COMPENSATION_FAILED;
      awaitStatus(engine, run.workflowId(), status);

      assertThat(run.query(COUNT, "")).isEqualTo(1);
    }
  }

  @Test
  void a_query_that_throws_or_changes_something_is_told_and_the_run_goes_on() {
    var run = open().start("list", "w", "");
    for (int round = 0; round < 2; round++) {
      world.settle(run);
      assertThatThrownBy(() -> run.query(ODD, "throw"))
          .isInstanceOf(HandlerFailed.class)
          .hasMessageContaining("no answer");
      assertRefused(ErrorCode.R128, "'w'", () -> run.query(ODD, "change"));
      assertRefused(
          ErrorCode.R127, "'add'", () -> run.query(Query.of("add", String.class, int.class), ""));
      if (round == 0) world.evict(run);
    }

    run.signal(WORD, "done");
    assertThat(World.result(run)).isEqualTo("done[]");
    assertThat(events(world.engine(), "w", "ValuePublished")).isEmpty();
  }

  // ---- updates ----------------------------------------------------------------------------------

  @Test
  void an_update_wakes_a_run_and_is_done_once_however_often_it_is_sent() {
    var engine = open();
    var run = engine.start("list", "w", "");
    assertThat(engine.update("w", ADD, "a", "m-1")).isEqualTo(1);
    world.settle(run);
    world.evict(run);

    assertThat(engine.update("w", ADD, "b", "m-2")).isEqualTo(2);
    assertThat(engine.update("w", ADD, "b", "m-2")).isEqualTo(2);
    assertThat(engine.update("w", ADD, "a", "m-1")).isEqualTo(1);
    world.crash();
    open();
    assertThat(world.engine().update("w", ADD, "b", "m-2")).isEqualTo(2);

    world.engine().signal("w", WORD, "done");
    assertThat(World.result(world.engine(), "w")).isEqualTo("done[a, b]");
    assertThat(world.engine().update("w", ADD, "b", "m-2")).as("of a closed run").isEqualTo(2);
    assertThat(calls.all()).containsExactly("a", "b");
  }

  @Test
  void the_answer_of_an_earlier_run_is_found_when_the_workflow_went_on() {
    var engine = open();
    engine.start("list", "w", "");
    assertThat(engine.update("w", ADD, "a", "m-1")).isEqualTo(1);
    engine.signal("w", WORD, "next");
    Await.until("a new run", () -> engine.runs("w").size() == 2);

    assertThat(engine.update("w", ADD, "a", "m-1")).isEqualTo(1);
    assertThat(engine.update("w", ADD, "b", "m-2")).as("a new list").isEqualTo(1);
    assertThat(calls.all()).containsExactly("a", "b");
  }

  @Test
  void what_is_not_answered_before_the_end_is_told() throws Exception {
    for (var end : new String[] {"done", "next", "fail"}) {
      var engine = end.equals("done") ? open() : world.engine();
      engine.start("list", end, "");
      var answer =
          CompletableFuture.supplyAsync(
              () ->
                  catchThrowableOfType(
                      RepriseException.class, () -> engine.update(end, ADD, "wait", "m-" + end)));
      awaitEvents(engine, end, "UpdateReceived", 1);
      engine.signal(end, WORD, end);

      var told = answer.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertThat(told.code()).isEqualTo(ErrorCode.R114);
      assertThat(told).hasMessageContaining("ended before it answered the update 'add'");
    }
  }

  @Test
  void a_refused_update_is_not_recorded_and_may_be_sent_again() {
    var engine = open();
    var run = engine.start("list", "w", "");
    world.settle(run);
    var before = run.history();

    assertRefused(ErrorCode.R126, "nothing to add", () -> engine.update("w", ADD, " ", "m"));
    assertRefused(ErrorCode.R127, "it answers [add]", () -> engine.update("w", OTHER, "x", "m"));
    assertThat(run.history()).isEqualTo(before);
    assertThat(engine.update("w", ADD, "a", "m")).isEqualTo(1);
  }

  @Test
  void an_update_that_fails_is_told_again_and_the_run_goes_on() {
    var engine = open();
    var run = engine.start("list", "w", "");
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> engine.update("w", ADD, "throw", "m"))
          .isInstanceOfSatisfying(
              HandlerFailed.class, e -> assertThat(e.is(IllegalStateException.class)).isTrue())
          .hasMessageContaining("cannot add");
    }

    assertThat(events(engine, "w", "UpdateFailed")).hasSize(1);
    run.signal(WORD, "done");
    assertThat(World.result(run)).isEqualTo("done[]");
  }

  @Test
  void a_run_that_is_held_or_undone_does_not_keep_who_asks() {
    var engine = open();
    engine.start("list", "w", "stuck").signal(WORD, "fail");
    awaitStatus(engine, "w", Status.COMPENSATION_FAILED);

    assertThatThrownBy(() -> engine.update("w", ADD, "a", "m"))
        .isInstanceOf(WorkflowBlocked.class)
        .hasMessageContaining("R132");
    assertThat(events(engine, "w", "UpdateReceived")).isEmpty();
  }

  @Test
  void what_is_published_is_read_when_no_engine_runs() {
    var run = open().start("list", "w", "");
    run.update(ADD, "a");
    run.update(ADD, "b");
    world.shutDown();

    world.open(r -> r.workflow("other", String.class, String.class, (_, in) -> in));
    assertThat(world.engine().published("w", SIZE)).contains(2);
    assertThat(world.engine().published("w", Key.of("none", String.class))).isEmpty();
    assertRefused(ErrorCode.R102, "list", () -> world.engine().query("w", COUNT, ""));
  }

  @Test
  void the_handler_that_was_added_last_answers() {
    world.open(
        r ->
            r.workflow(
                "twice",
                String.class,
                String.class,
                (ctx, _) -> {
                  ctx.onUpdate(ADD, _ -> 1);
                  ctx.onUpdate(ADD, _ -> 2);
                  ctx.onQuery(COUNT, _ -> 3);
                  ctx.onQuery(COUNT, _ -> 4);
                  return ctx.receive(WORD);
                }));
    var run = world.engine().start("twice", "t", "");

    assertThat(run.update(ADD, "")).isEqualTo(2);
    assertThat(run.query(COUNT, "")).isEqualTo(4);
  }
}
