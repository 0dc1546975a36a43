package dev.reprise.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.HistoryEvent;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a cancel does to a workflow that waits, works, or has ended. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CancelTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);

  @RegisterExtension private final World world = new World(StoreKind.SQLITE);

  private Workflow<String, String> waiting(Runnable wait) {
    return (ctx, _) -> {
      wait.run();
      return "not cancelled";
    };
  }

  private void assertCancelled(String... types) {
    var run = world.engine().handle("w", String.class);
    assertThatThrownBy(() -> World.result(run))
        .isInstanceOfSatisfying(
            WorkflowCancelled.class,
            e -> {
              assertThat(e.reason()).isEqualTo("sold out");
              assertThat(e.workflowId()).isEqualTo("w");
            });
    assertThat(run.status()).isEqualTo(Status.CANCELLED);
    assertThat(run.history()).extracting(HistoryEvent::type).containsExactly(types);
  }

  @Test
  void a_wait_for_a_signal_ends() {
    var run = world.begin(waiting(() -> Context.current().receive(WORD)));
    world.settle(run);

    run.cancel("sold out");

    assertCancelled("WorkflowStarted", "WorkflowCancelRequested", "WorkflowCancelled");
  }

  @Test
  void a_sleep_ends_and_its_timer_is_cancelled() {
    var run = world.begin(waiting(() -> Context.current().sleep(Duration.ofDays(1))));
    world.settle(run);

    run.cancel("sold out");

    assertCancelled(
        "WorkflowStarted",
        "TimerScheduled",
        "WorkflowCancelRequested",
        "TimerCancelled",
        "WorkflowCancelled");
  }

  @Test
  void all_branches_end() {
    var run =
        world.begin(
            (ctx, _) -> {
              var one = ctx.async(() -> ctx.receive(WORD));
              var two = ctx.async(() -> ctx.receive(WORD));
              return String.join(" ", ctx.all(List.of(one, two)));
            });
    world.settle(run);

    run.cancel("sold out");

    assertCancelled("WorkflowStarted", "WorkflowCancelRequested", "WorkflowCancelled");
  }

  @Test
  void an_activity_that_runs_ends_first_and_is_recorded() throws Exception {
    var gate = world.gate();
    var run =
        world.begin(
            (ctx, _) -> {
              ctx.run("charge", gate::pass);
              ctx.run("ship", () -> {});
              return "not cancelled";
            });
    gate.awaitReached();

    run.cancel("sold out");
    gate.open();

    assertCancelled(
        "WorkflowStarted", "WorkflowCancelRequested", "ActivityCompleted", "WorkflowCancelled");
  }

  @Test
  void an_inline_activity_that_runs_gives_its_result_so_that_it_can_be_undone() throws Exception {
    var gate = world.gate();
    var freed = new AtomicInteger();
    var seats = new Seats(gate, freed);
    world.open(
        r ->
            r.activities(seats)
                .workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      var seat = ctx.run("hold", String.class, seats::hold);
                      ctx.compensate(seats::free, seat);
                      ctx.run("print", () -> {});
                      return "not cancelled";
                    }));
    var run = world.engine().start("code", "w", "");
    gate.awaitReached();

    run.cancel("sold out");
    gate.open();

    assertThatThrownBy(() -> World.result(run)).isInstanceOf(WorkflowCancelled.class);
    assertThat(freed).hasValue(1);
  }

  /** Seats of which one is held for as long as the gate is closed. */
  record Seats(Gate gate, AtomicInteger freed) {
    String hold() throws Exception {
      gate.pass();
      return "7a";
    }

    public void free(String seat) {
      if (seat.equals("7a")) freed.incrementAndGet();
    }
  }

  @Test
  void a_cancel_during_the_last_step_comes_too_late_and_the_run_completes() throws Exception {
    var gate = world.gate();
    var run =
        world.begin(
            (ctx, _) -> {
              ctx.run("charge", gate::pass);
              return ctx.cancelled() ? "done, and asked to end" : "done";
            });
    gate.awaitReached();

    run.cancel("sold out");
    gate.open();

    assertThat(World.result(run)).isEqualTo("done, and asked to end");
    assertThat(run.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void an_activity_between_two_attempts_is_not_tried_again() {
    var attempts = new AtomicInteger();
    var hourly = ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofHours(1), 5));
    var run =
        world.begin(
            (ctx, _) -> {
              ctx.with(hourly)
                  .run(
                      "charge",
                      () -> {
                        attempts.incrementAndGet();
                        throw new IllegalStateException("no");
                      });
              return "not cancelled";
            });
    world.settle(run);

    run.cancel("sold out");

    Await.until("the end", () -> run.status().isClosed());
    assertThat(attempts).hasValue(1);
  }

  @Test
  void code_may_end_in_its_own_way() {
    var run =
        world.begin(
            (ctx, _) -> {
              try {
                return ctx.receive(WORD);
              } catch (WorkflowCancelled e) {
                return "undone: " + e.reason();
              }
            });
    world.settle(run);

    run.cancel("sold out");

    assertThat(World.result(run)).isEqualTo("undone: sold out");
  }

  @Test
  void code_may_fail_instead() {
    var run =
        world.begin(
            (ctx, _) -> {
              try {
                return ctx.receive(WORD);
              } catch (WorkflowCancelled e) {
                throw new IllegalStateException("half done");
              }
            });
    world.settle(run);

    run.cancel("sold out");

    assertThatThrownBy(() -> World.result(run)).isInstanceOf(WorkflowFailed.class);
  }

  @Test
  void a_second_cancel_changes_nothing() throws Exception {
    var gate = world.gate();
    var run =
        world.begin(
            (ctx, _) -> {
              ctx.run("charge", gate::pass);
              return ctx.receive(WORD);
            });
    gate.awaitReached();

    run.cancel("sold out");
    run.cancel("never mind");
    gate.open();

    assertCancelled(
        "WorkflowStarted", "WorkflowCancelRequested", "ActivityCompleted", "WorkflowCancelled");
    run.cancel("once more");
  }

  @Test
  void a_cancel_outlives_a_crash() throws Exception {
    var gate = world.gate();
    Workflow<String, String> code =
        (ctx, _) -> {
          ctx.run("charge", gate::pass);
          return ctx.receive(WORD);
        };
    var run = world.begin(code);
    gate.awaitReached();
    run.cancel("sold out");
    world.crash();
    gate.open();

    world.openWith(code);

    assertCancelled(
        "WorkflowStarted", "WorkflowCancelRequested", "ActivityCompleted", "WorkflowCancelled");
  }

  @Test
  void a_run_that_is_not_in_memory_is_cancelled() {
    var code = waiting(() -> Context.current().receive(WORD));
    world.settle(world.begin(code));
    world.shutDown();
    world.openWith(code);

    world.engine().cancel("w", "sold out");

    assertCancelled("WorkflowStarted", "WorkflowCancelRequested", "WorkflowCancelled");
  }

  @Test
  void what_has_ended_or_never_was_is_not_cancelled() {
    world.play((_, _) -> "done");

    assertThatThrownBy(() -> world.engine().cancel("w", "late"))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R114));
    assertThatThrownBy(() -> world.engine().cancel("nobody", "late"))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R113));
  }
}
