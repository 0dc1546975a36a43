package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ActivityContext;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowTerminated;
import dev.reprise.WorkflowTimedOut;
import dev.reprise.engine.Engine;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs that somebody ends, or whose time is over, in every state that they can be in. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TerminateTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world;
  private final Calls calls = new Calls();
  private Gate gate = new Gate();

  TerminateTest(StoreKind kind) {
    this.world = new World(kind);
  }

  private String code(Context ctx, String how) {
    ctx.compensate("undo", how);
    if (how.equals("work")) ctx.run("work", gate::pass);
    if (how.equals("mistake")) throw new AssertionError("a mistake");
    if (how.equals("fail") || how.equals("stuck")) throw new IllegalStateException("failed");
    calls.add("waits");
    return ctx.receive(WORD);
  }

  private void undo(String how) throws Exception {
    if (how.equals("stuck")) throw new TerminalFailure("cannot");
    if (how.equals("fail")) gate.pass();
    calls.add("undo " + how);
  }

  private Engine open() {
    gate = world.gate();
    return world.open(
        r ->
            r.workflow("code", String.class, String.class, this::code)
                .activity("undo", String.class, this::undo));
  }

  private void assertTerminated(Engine engine, String id) {
    assertThatThrownBy(() -> World.result(engine, id))
        .isInstanceOf(WorkflowTerminated.class)
        .hasMessageContaining("fire");
    assertThat(engine.describe(id).status()).isEqualTo(Status.TERMINATED);
    var last = engine.history(id).getLast();
    assertThat(last.type()).isEqualTo("WorkflowTerminated");
    assertThat(last.toString()).contains("fire");
    engine.terminate(id, "again");
    assertThat(engine.history(id).getLast()).isEqualTo(last);
  }

  // ---- terminated -------------------------------------------------------------------------------

  @Test
  void one_that_waits_in_memory_or_out_of_it() {
    var engine = open();
    var here = engine.start("code", "here", "wait");
    world.settle(here);
    here.terminate("fire");
    assertTerminated(engine, "here");

    var away = engine.start("code", "away", "wait");
    world.settle(away);
    world.evict(away);
    int played = calls.of("waits");
    away.terminate("fire");
    assertTerminated(engine, "away");
    assertThat(calls.of("waits")).as("its code was not needed").isEqualTo(played);
    assertThat(calls.of("undo wait")).isZero();
  }

  @Test
  void one_whose_activity_runs_and_whose_result_comes_too_late() throws Exception {
    var engine = open();
    var run = engine.start("code", "w", "work");
    gate.awaitReached();

    run.terminate("fire");
    assertTerminated(engine, "w");
    gate.open();

    assertThat(events(engine, "w", "ActivityCompleted")).isEmpty();
  }

  @Test
  void one_that_is_blocked_with_and_without_undoing() {
    var engine = open();
    for (boolean undo : new boolean[] {false, true}) {
      var id = "blocked " + undo;
      engine.start("code", id, "mistake");
      awaitStatus(engine, id, Status.BLOCKED);

      engine.terminate(id, "fire", undo);

      assertTerminated(engine, id);
      assertThat(calls.of("undo mistake")).isEqualTo(undo ? 1 : 0);
    }
  }

  @Test
  void one_that_is_being_undone_or_could_not_be() throws Exception {
    var engine = open();
    engine.start("code", "undoing", "fail");
    gate.awaitReached();
    engine.terminate("undoing", "fire");
    assertTerminated(engine, "undoing");
    gate.open();

    engine.start("code", "stuck", "stuck");
    awaitStatus(engine, "stuck", Status.COMPENSATION_FAILED);
    engine.terminate("stuck", "fire");
    assertTerminated(engine, "stuck");
  }

  @Test
  void one_whose_code_no_engine_has() {
    world.settle(open().start("code", "w", "wait"));
    world.crash();
    var stranger = world.open(r -> r.workflow("o", String.class, String.class, (_, in) -> in));

    stranger.terminate("w", "fire");
    world.shutDown();
    open();

    assertTerminated(world.engine(), "w");
    assertThat(calls.of("waits")).isEqualTo(1);
  }

  @Test
  void a_terminate_outlives_a_crash_and_so_does_the_undoing() {
    var run = open().start("code", "w", "wait");
    world.settle(run);
    run.terminate("fire", true);
    world.crash();

    var engine = open();

    assertThatThrownBy(() -> World.result(engine, "w")).isInstanceOf(WorkflowTerminated.class);
    assertThat(calls.of("undo wait")).isBetween(1, 2);
    assertThat(events(engine, "w", "CompensationCompleted")).hasSize(1);
  }

  // ---- timed out --------------------------------------------------------------------------------

  @Test
  void a_run_whose_time_is_over_while_no_engine_runs() {
    var limit = StartOptions.defaults().timeout(HOUR);
    world.settle(open().start("code", "w", "wait", limit));
    world.shutDown();
    world.time().advanceTo(World.START.plus(HOUR.multipliedBy(2)));

    var engine = open();

    assertThatThrownBy(() -> World.result(engine, "w")).isInstanceOf(WorkflowTimedOut.class);
    assertThat(engine.describe("w").status()).isEqualTo(Status.TIMED_OUT);
    assertThat(calls.of("undo wait")).isEqualTo(1);
  }

  @Test
  void the_limit_counts_from_the_start_across_a_crash() {
    var limit = StartOptions.defaults().timeout(HOUR);
    world.settle(open().start("code", "w", "wait", limit));
    world.time().advanceTo(World.START.plus(HOUR.dividedBy(2)));
    world.crash();
    var run = open().handle("w", String.class);

    assertThat(world.settle(run)).isEqualTo(World.START.plus(HOUR));
    assertThatThrownBy(() -> world.resultInTime(run)).isInstanceOf(WorkflowTimedOut.class);
    assertThat(run.describe().closedAt()).isEqualTo(World.START.plus(HOUR));
  }

  @Test
  void a_run_that_ends_in_time_has_no_limit_any_more() {
    var run = open().start("code", "w", "wait", StartOptions.defaults().timeout(HOUR));
    world.settle(run);
    run.signal(WORD, "done");

    assertThat(World.result(run)).isEqualTo("done");
    world.time().advanceTo(World.START.plus(HOUR.multipliedBy(2)));
    assertThat(run.status()).isEqualTo(Status.COMPLETED);
  }

  // ---- cancelled --------------------------------------------------------------------------------

  @Test
  void an_activity_that_runs_is_told_that_nobody_wants_it() throws Exception {
    world.open(
        r ->
            r.workflow(
                "code",
                String.class,
                String.class,
                (ctx, _) -> {
                  ctx.run(
                      "work",
                      () -> {
                        var activity = ActivityContext.current();
                        calls.add("works");
                        Await.until("told", activity::cancelled);
                        calls.add("interrupted " + Thread.interrupted());
                      });
                  return ctx.receive(WORD);
                }));
    var run = world.engine().start("code", "w", "");
    Await.until("it works", () -> calls.of("works") == 1);
    run.cancel("sold out");

    assertThatThrownBy(() -> World.result(run)).isInstanceOf(WorkflowCancelled.class);
    assertThat(calls.all()).containsExactly("works", "interrupted false");
  }

  @Test
  void a_cancel_says_who_wanted_it_and_why_and_does_not_stop_the_undoing() throws Exception {
    var engine = open();
    engine.start("code", "w", "fail");
    gate.awaitReached();
    engine.cancel("w", "while it is undone");
    gate.open();
    awaitStatus(engine, "w", Status.FAILED);
    assertThat(events(engine, "w", "WorkflowCancelRequested")).isEmpty();

    engine.start("code", "v", "wait").cancel("sold out");
    awaitEvents(engine, "v", "WorkflowCancelRequested", 1);
    var asked = events(engine, "v", "WorkflowCancelRequested").getFirst();
    assertThat(asked.toString()).contains("sold out").contains("requester");
  }

  @Test
  void a_workflow_that_ended_otherwise_or_never_was_is_not_terminated() {
    var engine = open();
    var run = engine.start("code", "w", "wait");
    run.signal(WORD, "done");
    World.result(run);

    assertThat(catchThrowableOfType(RepriseException.class, () -> engine.terminate("w", "late")))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.R114));
    assertThat(catchThrowableOfType(RepriseException.class, () -> engine.terminate("x", "late")))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.R113));
  }
}
