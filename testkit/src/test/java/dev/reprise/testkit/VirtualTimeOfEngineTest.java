package dev.reprise.testkit;

import static dev.reprise.testkit.RepriseAssertions.assertThat;
import static dev.reprise.testkit.RepriseAssertions.assertThatThrownBy;
import static dev.reprise.testkit.RepriseAssertions.catchThrowable;

import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.testkit.Purchase.Shop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VirtualTimeOfEngineTest {
  private static final Signal<String> GO = Signal.of("go", String.class);

  private final Shop shop = new Shop();
  private final TestEngine engine = TestEngine.create();

  @AfterEach
  void close() {
    engine.close();
  }

  private TestEngine withPurchase() {
    return engine.workflow(new Purchase(shop)).activities(shop);
  }

  private void workflow(dev.reprise.Workflow<String, String> code) {
    engine.workflow("Sample", String.class, String.class, code);
  }

  @Test
  void time_begins_at_a_fixed_moment_and_stands_still() {
    withPurchase().start(Purchase.class, "p", "tea");

    engine.awaitQuiet();

    assertThat(engine.now()).isEqualTo(Instant.parse("2030-01-01T00:00:00Z"));
  }

  @Test
  void one_advance_goes_through_thirty_sleeps_of_a_day() {
    workflow(
        (ctx, _) -> {
          var days = new ArrayList<Instant>();
          for (int day = 0; day < 30; day++) {
            ctx.sleep(Duration.ofDays(1));
            days.add(ctx.now());
          }
          return days.getLast().toString();
        });
    var run = engine.start("Sample", "s", "");

    engine.advance(Duration.ofDays(30));

    assertThat(run.status()).isEqualTo(Status.COMPLETED);
    assertThat(run.result()).isEqualTo("2030-01-31T00:00:00Z");
  }

  @Test
  void an_advance_ends_where_it_should_even_if_nothing_is_due_there() {
    var run = withPurchase().start(Purchase.class, "p", "tea");

    engine.advance(Purchase.PATIENCE.minusNanos(1_000));

    assertThat(run).isOpen().isWaitingFor("signal 'approval'");
    assertThat(engine.now()).isEqualTo(TestEngine.START.plus(Purchase.PATIENCE).minusNanos(1_000));
  }

  @Test
  void time_skips_by_itself_while_a_test_waits_for_a_result() {
    var run = withPurchase().start(Purchase.class, "p", "tea");
    run.signal(Purchase.APPROVAL, "ops");

    assertThat(run.result()).isEqualTo("tea for payment-1 by ops, 4 left, note");
    assertThat(engine.now()).isEqualTo(TestEngine.START.plus(Purchase.DELIVERY));
  }

  @Test
  void a_wait_that_ended_early_leaves_no_stop_behind() {
    workflow(
        (ctx, _) -> {
          ctx.receive(GO, Duration.ofDays(300));
          ctx.sleep(Duration.ofHours(1));
          ctx.receive(GO);
          return "";
        });
    var run = engine.start("Sample", "s", "");
    run.signal(GO, "first");

    assertThatThrownBy(run::result).hasMessageContaining("signal 'go'");
    assertThat(engine.now()).isEqualTo(TestEngine.START.plus(Duration.ofHours(1)));
  }

  @Test
  void retries_are_time_too() {
    engine.configure(reprise -> reprise.retry(RetryPolicy.defaults().attempts(20)));
    withPurchase().replace("Payments.charge", call -> failTimes(call, 19));
    var run = engine.start(Purchase.class, "p", "tea");
    run.signal(Purchase.APPROVAL, "ops");

    assertThat(run.result()).startsWith("tea for late");
  }

  private static String failTimes(Call call, int times) {
    if (call.attempt() <= times) throw new IllegalStateException("not yet");
    return "late";
  }

  @Test
  void the_limit_of_a_result_is_virtual_time() {
    var run = withPurchase().start(Purchase.class, "p", "tea");

    var late = catchThrowable(() -> run.result(Duration.ofDays(1)));

    assertThat(late)
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("'p' has not ended within 1d, it is 2030-01-02T00:00:00Z now")
        .hasMessageContaining("signal 'approval'")
        .hasMessageContaining("Payments.charge:1");
    assertThat(engine.now()).isEqualTo(TestEngine.START.plus(Duration.ofDays(1)));
  }

  @Test
  void a_result_within_the_limit_is_given() throws TimeoutException {
    var run = withPurchase().start(Purchase.class, "p", "tea");
    run.signal(Purchase.APPROVAL, "ops");

    assertThat(run.result(Duration.ofDays(3))).contains("by ops");
  }

  @Test
  void a_run_that_can_never_end_fails_the_test_at_once_and_says_why() {
    workflow((ctx, _) -> ctx.run("ask", String.class, () -> "asked") + ctx.receive(GO));
    var run = engine.start("Sample", "s", "");

    assertThatThrownBy(run::result)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("'s' never ends: everything waits, and no timer is set")
        .hasMessageContaining(
            "waits for signal 'go' (receive go:1) at VirtualTimeOfEngineTest.java:")
        .hasMessageContaining("ActivityCompleted  ask:1");
  }

  @Test
  void without_skipping_somebody_else_must_move_the_time() throws InterruptedException {
    engine.autoSkip(false);
    var run = withPurchase().start(Purchase.class, "p", "tea");
    run.signal(Purchase.APPROVAL, "ops");
    var result = CompletableFuture.supplyAsync(run::result);
    engine.awaitQuiet();
    assertThat(result).isNotDone();

    engine.advance(Purchase.DELIVERY);

    assertThat(result.join()).contains("by ops");
  }

  @Test
  void without_skipping_a_wait_for_ever_ends_with_the_patience() {
    engine.autoSkip(false).patience(Duration.ofMillis(50));
    var run = withPurchase().start(Purchase.class, "p", "tea");

    assertThatThrownBy(run::result)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("autoSkip is off");
  }

  // ---- what a test wants to happen at a time

  @Test
  void things_happen_at_their_time_and_in_order_with_timers() {
    var seen = new ArrayList<String>();
    withPurchase();
    var run = engine.start(Purchase.class, "p", "tea");
    engine
        .after(Duration.ofHours(3), () -> seen.add("third at " + engine.now()))
        .after(Duration.ofHours(2), () -> run.signal(Purchase.APPROVAL, "ops"))
        .at(TestEngine.START.plus(Duration.ofHours(1)), () -> seen.add(run.status().toString()));

    assertThat(run.result()).contains("by ops");

    assertThat(seen).containsExactly("RUNNING", "third at 2030-01-01T03:00:00Z");
    assertThat(engine.now()).isEqualTo(TestEngine.START.plus(Duration.ofHours(74)));
  }

  @Test
  void timers_of_the_same_moment_come_first() {
    var run = withPurchase().start(Purchase.class, "p", "tea");
    engine.after(
        Purchase.PATIENCE, () -> assertThat(run).failedWith("nobody approved tea").isNotNull());

    engine.advance(Purchase.PATIENCE);

    assertThat(run).failedWith(IllegalStateException.class).ran("Payments.refund").once();
  }

  @Test
  void what_fails_at_its_time_fails_the_test() {
    var failing = TestEngine.create().workflow(new Purchase(shop)).activities(shop);
    failing.start(Purchase.class, "p", "tea");
    failing.after(
        Duration.ofHours(1),
        () -> {
          throw new java.io.IOException("broken");
        });

    assertThatThrownBy(() -> failing.advance(Duration.ofDays(1))).hasRootCauseMessage("broken");
    assertThatThrownBy(failing::close).isInstanceOf(AssertionError.class);
  }

  // ---- quiet

  @Test
  void time_does_not_move_while_an_activity_runs() {
    var begun = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    withPurchase()
        .replace(
            "Payments.charge",
            _ -> {
              begun.countDown();
              end.await();
              return "slow";
            });
    var run = engine.start(Purchase.class, "p", "tea");
    run.signal(Purchase.APPROVAL, "ops");
    var result = CompletableFuture.supplyAsync(run::result);
    assertThat(begun).satisfies(CountDownLatch::await);

    assertThat(run).isWaitingFor("activity Payments.charge");
    assertThat(engine.now()).isEqualTo(TestEngine.START);
    end.countDown();

    assertThat(result.join()).contains("slow");
  }

  @Test
  void an_activity_that_does_not_come_back_is_named_with_its_line() {
    engine.patience(Duration.ofMillis(200));
    withPurchase()
        .replace(
            "Payments.charge",
            _ -> {
              new CountDownLatch(1).await();
              return "never";
            });
    var run = engine.start(Purchase.class, "p", "tea");

    assertThatThrownBy(run::result)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("after 200 ms of real time activities still run")
        .hasMessageContaining("activity Payments.charge (Payments.charge:1) of 'p'")
        .hasMessageContaining("VirtualTimeOfEngineTest.java")
        .hasMessageContaining("call.takes(Duration)");
  }

  @Test
  void an_activity_can_take_virtual_time() {
    withPurchase()
        .replace(
            "Payments.charge",
            call -> {
              call.takes(Duration.ofHours(5));
              return call.proceed();
            });
    var run = engine.start(Purchase.class, "p", "tea");
    run.signal(Purchase.APPROVAL, "ops");

    assertThat(run.result()).contains("payment-1");
    assertThat(engine.now())
        .isEqualTo(TestEngine.START.plus(Purchase.DELIVERY).plus(Duration.ofHours(5)));
  }

  @Test
  void an_activity_that_takes_too_long_is_interrupted() {
    workflow(VirtualTimeOfEngineTest::impatient);
    engine.replace(
        "slow",
        call -> {
          if (call.attempt() == 1) call.takes(Duration.ofDays(1));
          return "in time";
        });

    assertThat(engine.start("Sample", "s", ""))
        .completedWith("in time")
        .ran("slow")
        .withAttempts(2);
  }

  @Test
  void an_activity_that_nobody_waits_for_any_more_does_not_hold_up_the_test() {
    workflow(
        (ctx, input) -> {
          try {
            return ctx.withTimeout(
                Duration.ofHours(1), () -> ctx.run("slow", String.class, () -> input));
          } catch (dev.reprise.TimedOut late) {
            return "late";
          }
        });
    engine.replace(
        "slow",
        call -> {
          call.takes(Duration.ofDays(1));
          return "in time";
        });

    assertThat(engine.start("Sample", "s", "")).completedWith("late");
    assertThat(engine.now()).isEqualTo(TestEngine.START.plus(Duration.ofHours(1)));
  }

  private static String impatient(Context ctx, String input) {
    var options = dev.reprise.ActivityOptions.defaults().timeout(Duration.ofMinutes(1));
    return ctx.with(options).run("slow", String.class, () -> input);
  }

  @Test
  void many_runs_and_many_waiting_threads_go_through_the_same_time() {
    workflow(
        (ctx, input) -> {
          for (int i = 0; i < 5; i++) {
            ctx.sleep(Duration.ofMinutes(1 + ctx.random().nextInt(100)));
            ctx.run("step", () -> {});
          }
          return input;
        });
    var results =
        java.util.stream.IntStream.range(0, 50)
            .mapToObj(i -> engine.start("Sample", "s" + i, "in" + i))
            .map(run -> CompletableFuture.supplyAsync(run::result))
            .toList();

    assertThat(results.stream().map(CompletableFuture::join).toList())
        .hasSize(50)
        .doesNotHaveDuplicates();
  }

  @Test
  void what_is_read_of_a_run_is_read_when_nothing_moves() {
    workflow(
        (ctx, _) -> {
          for (int i = 0; i < 50; i++) ctx.run("step", () -> {});
          return ctx.receive(GO);
        });

    var run = engine.start("Sample", "s", "");

    assertThat(run.history()).hasSize(51);
    assertThat(run.describe().waitingFor()).singleElement().asString().contains("signal 'go'");
    assertThat(run.status()).isEqualTo(Status.RUNNING);
    run.signal(GO, "");
    assertThat(run.result()).isEqualTo("");
    assertThat(List.of(run.history().getLast().type())).containsExactly("WorkflowCompleted");
  }
}
