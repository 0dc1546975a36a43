package dev.reprise.verification.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityOptions;
import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.HistoryEvent;
import dev.reprise.ListQuery;
import dev.reprise.RetryPolicy;
import dev.reprise.RunDescription;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import dev.reprise.WorkflowTimedOut;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Defects that earlier engines had, by engine and number: none of them may come back. */
@RepriseTest
class SeedDefectsTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<String> calls = new CopyOnWriteArrayList<>();

  /** What a workflow is started with. */
  public record Order(String customer, boolean urgent) {}

  private static List<String> types(List<HistoryEvent> history) {
    return history.stream().map(HistoryEvent::type).toList();
  }

  private static String sleepy(Context ctx, String in) {
    ctx.sleep(HOUR);
    return in + ctx.now();
  }

  // ---- sched ------------------------------------------------------------------------------------

  @Test
  void sched_1_the_result_of_an_activity_reaches_the_workflow_before_it_completes(
      TestEngine engine) {
    engine.workflow(
        "w", String.class, String.class, (ctx, in) -> ctx.run("act", String.class, () -> in + "!"));
    var run = engine.start("w", "w", "a");

    assertThat(run.result()).isEqualTo("a!");
    assertThat(types(run.history()))
        .containsExactly("WorkflowStarted", "ActivityCompleted", "WorkflowCompleted");
  }

  @Test
  void sched_2_the_first_sleep_of_a_run_with_a_time_limit_waits_for_its_own_timer(
      TestEngine engine) {
    engine.workflow("w", String.class, String.class, SeedDefectsTest::sleepy);
    var limit = StartOptions.defaults().timeout(HOUR.multipliedBy(5));
    var run = engine.start("w", "w", "", limit);
    var late = engine.start("w", "late", "", StartOptions.defaults().timeout(HOUR.dividedBy(2)));

    assertThat(run.result()).isEqualTo(TestEngine.START.plus(HOUR).toString());
    assertThatThrownBy(late::result).isInstanceOf(WorkflowTimedOut.class);
  }

  @Test
  void sched_3_cancels_signals_and_retries_are_not_only_in_memory(TestEngine engine) {
    var hourly = ActivityOptions.defaults().retry(RetryPolicy.fixed(HOUR, 3));
    engine.workflow(
        "w",
        String.class,
        String.class,
        (ctx, in) -> {
          ctx.with(hourly)
              .run(
                  "try",
                  () -> {
                    calls.add(in);
                    if (calls.stream().filter(in::equals).count() < 2) {
                      throw new IllegalStateException("no");
                    }
                  });
          return ctx.receive(WORD);
        });
    var retried = engine.start("w", "retried", "retried");
    var cancelled = engine.start("w", "cancelled", "cancelled");
    engine.awaitQuiet();
    retried.signal(WORD, "heard");
    cancelled.cancel("why");
    engine.crash();

    assertThat(retried.result()).isEqualTo("heard");
    assertThatThrownBy(cancelled::result).isInstanceOf(WorkflowCancelled.class);
    assertThat(calls.stream().filter("retried"::equals)).hasSize(2);
  }

  @Test
  void sched_4_and_edda_2_no_signal_is_lost_while_the_run_goes_to_sleep(TestEngine engine) {
    engine.workflow(
        "w",
        Integer.class,
        Integer.class,
        (ctx, count) -> {
          int heard = 0;
          while (heard < count) {
            ctx.receive(WORD);
            heard++;
          }
          return heard;
        });
    var run = engine.start("w", "w", 200);
    for (int i = 0; i < 200; i++) run.signal(WORD, "");

    assertThat(run.result()).isEqualTo(200);
  }

  @Test
  void sched_5_the_limit_of_a_wait_for_a_signal_counts_also_across_a_crash(TestEngine engine) {
    engine.workflow(
        "w",
        String.class,
        String.class,
        (ctx, _) -> ctx.receive(WORD, HOUR).orElse("none by " + ctx.now()));
    var run = engine.start("w", "w", "");
    engine.advance(HOUR.dividedBy(2));
    engine.crash();

    assertThat(run.result()).isEqualTo("none by " + TestEngine.START.plus(HOUR));
  }

  @Test
  void sched_14_lists_have_pages_and_count_everything(TestEngine engine) {
    engine.workflow("w", String.class, String.class, (_, in) -> in);
    for (int i = 0; i < 25; i++) engine.start("w", "w-" + i, "").result();
    var seen = new ArrayList<String>();
    var page = engine.page(ListQuery.all().limit(10));
    while (true) {
      page.runs().stream().map(RunDescription::workflowId).forEach(seen::add);
      if (page.nextPage().isEmpty()) break;
      page = engine.page(ListQuery.all().limit(10).after(page.nextPage().get()));
    }

    assertThat(seen).hasSize(25);
    assertThat(new HashSet<>(seen)).hasSize(25);
    assertThat(engine.count("")).isEqualTo(25);
  }

  // ---- Romancy ----------------------------------------------------------------------------------

  @Test
  void romancy_2_and_edda_1_what_a_workflow_sends_is_sent_once_however_often_it_is_replayed(
      TestEngine engine) {
    engine
        .workflow(
            "child",
            String.class,
            String.class,
            (ctx, _) -> {
              var heard = new ArrayList<String>();
              while (!heard.contains("end")) heard.add(ctx.receive(WORD));
              return heard.toString();
            })
        .workflow(
            "parent",
            String.class,
            String.class,
            (ctx, in) -> {
              var child = ctx.start("child", in, String.class, ChildOptions.defaults());
              child.signal(WORD, "once");
              ctx.sleep(HOUR);
              ctx.sleep(HOUR);
              child.signal(WORD, "end");
              return child.result().await();
            });
    var run = engine.start("parent", "p", "");
    for (int i = 0; i < 3; i++) {
      engine.advance(HOUR.dividedBy(3));
      engine.crash();
    }

    assertThat(run.result()).isEqualTo("[once, end]");
  }

  @Test
  void romancy_9_and_edda_15_a_workflow_goes_on_as_a_new_run_with_new_input(TestEngine engine) {
    engine.workflow(
        "w",
        Integer.class,
        String.class,
        (ctx, round) -> {
          if (round == 2) return round + ctx.receive(WORD);
          ctx.sleep(HOUR);
          return ctx.continueAsNew(round + 1);
        });
    var run = engine.start("w", "w", 1);
    var first = run.runId();
    run.signal(WORD, " kept");

    assertThat(run.result()).isEqualTo("2 kept");
    var runs = engine.runs("w");
    assertThat(runs).hasSize(2).extracting(RunDescription::workflowId).containsOnly("w");
    assertThat(runs.getLast().runId()).isEqualTo(first);
    assertThat(engine.history("w").getFirst().attributes()).contains(first.toString());
    assertThat(engine.history("w").getFirst().value()).isEqualTo("2");
  }

  @Test
  void romancy_10_what_is_being_undone_is_seen_and_survives_a_crash(TestEngine engine) {
    var broken = new AtomicBoolean(true);
    var hourly = ActivityOptions.defaults().retry(RetryPolicy.fixed(HOUR, 3));
    engine
        .workflow(
            "w",
            String.class,
            String.class,
            (ctx, in) -> {
              ctx.with(hourly).compensate("undo", in);
              throw new IllegalStateException("failed");
            })
        .activity(
            "undo",
            String.class,
            in -> {
              calls.add(in);
              if (broken.get()) throw new IllegalStateException("not now");
            });
    var run = engine.start("w", "w", "x");
    engine.awaitQuiet();
    assertThat(run.status()).isEqualTo(Status.COMPENSATING);
    engine.crash();
    broken.set(false);

    assertThatThrownBy(run::result).isInstanceOf(WorkflowFailed.class);
    assertThat(calls).hasSize(2);
  }

  @Test
  void romancy_11_a_timer_that_fires_is_recorded_as_one(TestEngine engine) {
    engine.workflow("w", String.class, String.class, SeedDefectsTest::sleepy);
    var run = engine.start("w", "w", "");
    run.result();

    assertThat(types(run.history())).contains("TimerScheduled", "TimerFired");
    assertThat(types(run.history())).doesNotContain("ActivityCompleted");
  }

  @Test
  void romancy_12_what_fails_again_and_again_is_recorded_each_time_and_ends_once(
      TestEngine engine) {
    var broken = new AtomicBoolean(true);
    engine
        .workflow(
            "w",
            String.class,
            String.class,
            (ctx, in) -> {
              ctx.compensate("undo", in);
              throw new IllegalStateException("failed");
            })
        .activity(
            "undo",
            String.class,
            _ -> {
              if (broken.get()) throw new TerminalFailure("cannot");
            });
    var run = engine.start("w", "w", "x");
    engine.awaitQuiet();
    run.resume();
    engine.awaitQuiet();
    assertThat(run.status()).isEqualTo(Status.COMPENSATION_FAILED);
    broken.set(false);
    run.resume();

    assertThatThrownBy(run::result).isInstanceOf(WorkflowFailed.class);
    assertThat(types(run.history()).stream().filter("CompensationFailed"::equals)).hasSize(2);
    assertThat(types(run.history()).stream().filter("WorkflowFailed"::equals)).hasSize(1);
  }

  // ---- Edda -------------------------------------------------------------------------------------

  @Test
  void edda_14_values_in_filters_are_values_whatever_is_in_them(TestEngine engine) {
    engine.workflow("w", Order.class, String.class, (_, order) -> order.customer());
    engine.start("w", "1", new Order("O'Hara", true)).result();
    engine.start("w", "2", new Order("x' or 'a' = 'a", false)).result();

    for (var customer : List.of("O'Hara", "x' or 'a' = 'a")) {
      assertThat(engine.count("input.customer = " + ListQuery.quoted(customer))).isEqualTo(1);
    }
    assertThat(engine.list(ListQuery.all().where("input.urgent = true")))
        .extracting(RunDescription::workflowId)
        .containsExactly("1");
  }

  @Test
  void edda_17_events_of_one_moment_have_an_order(TestEngine engine) {
    engine.workflow(
        "w",
        String.class,
        String.class,
        (ctx, in) -> {
          for (int i = 0; i < 20; i++) ctx.run("step", () -> {});
          return in;
        });
    var run = engine.start("w", "w", "");
    run.result();

    var history = run.history();
    assertThat(history).extracting(HistoryEvent::recordedAt).containsOnly(TestEngine.START);
    assertThat(history).extracting(HistoryEvent::index).isSorted().doesNotHaveDuplicates();
  }
}
