package dev.reprise.verification.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityOptions;
import dev.reprise.Fork;
import dev.reprise.Handle;
import dev.reprise.HistoryEvent;
import dev.reprise.Query;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.Update;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Where one part of a workflow's life meets another: found by the simulation. */
@RepriseTest
class EdgesTest {
  private static final Signal<String> GO = Signal.of("go", String.class);
  private static final Update<String, String> ADD = Update.of("add", String.class, String.class);
  private static final Query<String, Integer> SIZE = Query.of("size", String.class, Integer.class);

  private final List<String> log = new CopyOnWriteArrayList<>();

  private static Handle<Object> begin(TestEngine engine, Workflow<String, String> code) {
    engine.unguarded().workflow("code", String.class, String.class, code);
    return engine.start("code", "w", "in");
  }

  /** Waits for a signal in each of two runs, and answers updates. */
  private static Handle<Object> beginTwice(TestEngine engine) {
    return begin(
        engine,
        (ctx, in) -> {
          ctx.onUpdate(ADD, text -> in + " " + text);
          var signal = ctx.receive(GO);
          return in.equals("again") ? signal : ctx.continueAsNew("again");
        });
  }

  @Test
  void what_is_sent_again_after_a_continuation_is_known(TestEngine engine) {
    var run = beginTwice(engine);
    assertThat(engine.update("w", ADD, "one", "u-1")).isEqualTo("in one");
    engine.signal("w", GO, "first", "m-1");
    engine.awaitQuiet();

    assertThat(engine.runs("w")).hasSize(2);
    assertThat(engine.start("code", "w", "in").workflowId()).isEqualTo("w");
    assertThat(engine.update("w", ADD, "one", "u-1")).isEqualTo("in one");

    engine.signal("w", GO, "second", "m-2");
    assertThat(run.result()).isEqualTo("second");
    engine.signal("w", GO, "first", "m-1"); // is not refused, it was taken in
    assertThat(run.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_branch_that_was_open_when_a_loop_began_is_not_run_again(TestEngine engine) {
    engine.set(e -> e.loopLimit(4));
    var run =
        begin(
            engine,
            (ctx, _) -> {
              ctx.async(
                  () -> {
                    var signal = ctx.receive(GO);
                    ctx.run("work", () -> log.add(signal));
                    return signal;
                  });
              return ""
                  + ctx.loop(
                      0,
                      turn -> {
                        ctx.sleep(Duration.ofMinutes(1));
                        return turn == 20 ? null : turn + 1;
                      });
            });
    engine.signal("w", GO, "one");
    engine.advance(Duration.ofMinutes(10));
    engine.signal("w", GO, "two");

    assertThat(run.result()).isEqualTo("20");
    assertThat(log).containsExactly("one");
  }

  @Test
  void a_cancel_in_a_shielded_loop_is_not_forgotten(TestEngine engine) {
    engine.set(e -> e.loopLimit(4));
    var run =
        begin(
            engine,
            (ctx, _) -> {
              ctx.shielded(
                  () ->
                      ctx.loop(
                          0,
                          turn -> {
                            ctx.sleep(Duration.ofMinutes(1));
                            return turn == 20 ? null : turn + 1;
                          }));
              return ctx.receive(GO);
            });
    engine.advance(Duration.ofMinutes(5));
    run.cancel("enough");

    assertThatThrownBy(run::result).isInstanceOf(WorkflowCancelled.class);
  }

  @Test
  void steps_that_are_given_up_together_are_replayed_one_after_the_other(TestEngine engine) {
    var hourly = ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofHours(1), 0));
    var run =
        begin(
            engine,
            (ctx, _) -> {
              try {
                ctx.scope(
                    scope -> {
                      scope.fork(() -> ctx.async(() -> fail(ctx, hourly, "a")).await());
                      scope.fork(() -> fail(ctx, hourly, "b"));
                      ctx.sleep(Duration.ofMinutes(1));
                      throw new IllegalStateException("enough");
                    });
              } catch (IllegalStateException failed) {
                log.add("failed");
              }
              return ctx.receive(GO);
            });
    engine.advance(Duration.ofMinutes(2));
    engine.crash();
    run.signal(GO, "on");

    assertThat(run.result()).isEqualTo("on");
    assertThat(run.history())
        .extracting(HistoryEvent::type)
        .filteredOn("ActivityCancelled"::equals)
        .hasSize(2);
  }

  private static String fail(dev.reprise.Context ctx, ActivityOptions options, String name) {
    return ctx.with(options)
        .run(
            name,
            String.class,
            () -> {
              throw new IllegalStateException(name);
            });
  }

  // ---- undoing

  private Handle<Object> beginUndoable(TestEngine engine, AtomicBoolean away) {
    engine
        .activity(
            "slow",
            String.class,
            text -> {
              if (away.get()) throw new IllegalStateException("away");
              log.add(text);
            })
        .activity(
            "never",
            String.class,
            text -> {
              throw new TerminalFailure("cannot undo " + text);
            });
    return begin(
        engine,
        (ctx, _) -> {
          ctx.onQuery(SIZE, _ -> 7);
          ctx.compensate("slow", "one");
          ctx.compensate("never", "two");
          throw new IllegalStateException("no");
        });
  }

  @Test
  void what_could_not_be_undone_before_a_crash_is_not_forgotten_after_it(TestEngine engine) {
    var away = new AtomicBoolean(true);
    var run = beginUndoable(engine, away);
    engine.awaitQuiet();
    engine.crash();
    away.set(false);

    assertThatThrownBy(run::result)
        .isInstanceOf(WorkflowBlocked.class)
        .hasMessageContaining("R132");
    assertThat(run.status()).isEqualTo(Status.COMPENSATION_FAILED);
    assertThat(log).containsExactly("one");
  }

  @Test
  void a_run_that_is_undone_answers_and_is_not_forked_after_its_code(TestEngine engine) {
    var run = beginUndoable(engine, new AtomicBoolean());
    assertThatThrownBy(run::result).isInstanceOf(WorkflowBlocked.class);

    assertThat(engine.query("w", SIZE, "")).isEqualTo(7);
    assertThatThrownBy(() -> engine.fork(Fork.of("w", 4)))
        .hasMessageContaining("R130")
        .hasMessageContaining("1 to 3");
    assertThatThrownBy(() -> engine.fork(Fork.of("w", 3).as("f")).result())
        .isInstanceOfAny(WorkflowBlocked.class, WorkflowFailed.class);
  }
}
