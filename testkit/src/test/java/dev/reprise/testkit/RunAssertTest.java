package dev.reprise.testkit;

import static dev.reprise.testkit.RepriseAssertions.assertThat;
import static dev.reprise.testkit.RepriseAssertions.assertThatThrownBy;

import dev.reprise.Handle;
import dev.reprise.RetryPolicy;
import dev.reprise.engine.Reprise;
import dev.reprise.testkit.Purchase.Shop;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunAssertTest {
  private final Shop shop = new Shop();
  private final TestEngine engine =
      TestEngine.create()
          .workflow(new Purchase(shop))
          .activities(shop)
          .configure(reprise -> reprise.retry(RetryPolicy.none()));

  @AfterEach
  void discard() {
    engine.discard();
  }

  private Handle<String> open() {
    return engine.start(Purchase.class, "p", "tea");
  }

  private Handle<String> approved() {
    var run = open();
    run.signal(Purchase.APPROVAL, "ops");
    return run;
  }

  @Test
  void a_run_that_went_well() {
    assertThat(approved())
        .completedWith("tea for payment-1 by ops, 4 left, note")
        .ranInOrder("Stock.reserve", "Payments.charge", "note")
        .ran("Payments.charge")
        .once()
        .withResult("payment-1")
        .withAttempts(1)
        .ran("Stock.reserve")
        .times(1)
        .withResult(4)
        .didNotRun("Payments.refund")
        .received("approval")
        .received(Purchase.APPROVAL, "ops")
        .slept(Purchase.DELIVERY);
  }

  @Test
  void a_run_that_failed() {
    engine.replace(
        "Payments.charge",
        _ -> {
          throw new UnsupportedOperationException("no card");
        });

    assertThat(open())
        .failedWith(UnsupportedOperationException.class)
        .failedWith("no card")
        .ran("Payments.charge")
        .failing(UnsupportedOperationException.class);
  }

  @Test
  void a_run_that_waits() {
    assertThat(open()).isOpen().isWaitingFor("signal 'approval'").ran("Payments.charge").once();
  }

  @Test
  void a_run_that_was_cancelled() {
    var run = open();
    run.cancel("no more");

    assertThat(run).isCancelled();
  }

  @Test
  void a_run_of_a_real_engine() {
    try (var real =
        Reprise.inMemory()
            .workflow(
                "Add",
                Integer.class,
                Integer.class,
                (ctx, i) -> ctx.run("add", int.class, () -> i + 1))
            .start()) {
      var run = real.start("Add", "a", 1);

      assertThat(run).completedWith(2).ran("add").once().withResult(2);
    }
  }

  // ---- failures

  @Test
  void a_failure_shows_the_history_as_a_table() {
    var run = approved();
    run.result();

    assertThatThrownBy(() -> assertThat(run).ran("Payments.charge").times(2))
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            """
            'p' Payments.charge should have run 2 times, but ran once

            p, a Purchase: COMPLETED, started 2030-01-01T00:00:00Z
              #  AFTER  EVENT              SUBJECT            SOURCE            VALUE
              1  0s     WorkflowStarted    Purchase                             "tea"
              2  0s     ActivityCompleted  Stock.reserve:1    Purchase.java:34  4
              3  0s     ActivityCompleted  Payments.charge:1  Purchase.java:35  "payment-1"
              4  0s     SignalReceived     approval                             "ops"
              5  0s     TimerScheduled     sleep:1            Purchase.java:41  until 3d
              6  3d     TimerFired         sleep:1
              7  3d     ActivityCompleted  note:1             Purchase.java:42  "note"
              8  3d     WorkflowCompleted                                       \
            "tea for payment-1 by ops, 4 left, note"
            """);
  }

  @Test
  void the_table_shows_failures_retries_and_waits() {
    engine.redeploy().workflow(new Purchase(shop)).activities(shop);
    engine.replace("Payments.charge", call -> firstFails(call.attempt()));
    var run = open();
    engine.advance(Duration.ofHours(1));

    assertThatThrownBy(() -> assertThat(run).didNotRun("Payments.charge"))
        .hasMessageContaining("'p' Payments.charge should not have run, but did once")
        .hasMessageContaining("IllegalStateException: no line, again after 1")
        .hasMessageContaining("waits for signal 'approval'");
  }

  private static String firstFails(int attempt) {
    if (attempt == 1) throw new IllegalStateException("no line");
    return "paid";
  }

  private static void fails(ThrowingCallable assertion, String message) {
    assertThatThrownBy(assertion)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(message)
        .hasMessageContaining("p, a Purchase: ");
  }

  @Test
  void what_failures_say() {
    var run = approved();
    run.result();
    var that = assertThat(run);

    fails(() -> that.ran("Payments.refund"), "Payments.refund should have run, but did not");
    fails(() -> that.ran("note").withResult("x"), "note should have given \"x\", but did not");
    fails(() -> that.ran("note").withAttempts(2), "note should have taken 2 attempts");
    fails(
        () -> that.ran("note").failing(Error.class),
        "note should have failed with a java.lang.Error");
    fails(() -> that.ranInOrder("note", "Stock.reserve"), "Stock.reserve did not come after");
    fails(() -> that.received("refusal"), "no signal 'refusal' arrived");
    fails(() -> that.received(Purchase.APPROVAL, "x"), "no signal 'approval' with \"x\" arrived");
    fails(() -> that.slept(Duration.ofDays(4)), "should have slept for 4d");
    fails(() -> that.isWaitingFor("sleep"), "should wait for sleep, but waits for []");
    fails(that::isOpen, "should be open, but is COMPLETED");
    fails(
        () -> that.completedWith("x"), "should complete with\n  x\nbut with\n  tea for payment-1");
    fails(
        () -> that.failedWith(Error.class), "should fail with a java.lang.Error, but is COMPLETED");
    fails(that::isCancelled, "should be cancelled, but is COMPLETED");
    fails(that::isBlocked, "should be blocked, but is COMPLETED");
  }

  @Test
  void a_run_that_failed_otherwise() {
    engine.replace(
        "Payments.charge",
        _ -> {
          throw new UnsupportedOperationException("no card");
        });
    var that = assertThat(open());

    fails(() -> that.failedWith("no money"), "should fail with the message 'no money', but failed");
    fails(() -> that.completedWith("x"), "should complete with x, but is FAILED");
  }

  @Test
  void a_description_comes_first() {
    var that = assertThat(approved()).as("the order");

    assertThatThrownBy(() -> that.didNotRun("note").completedWith("x").didNotRun("note"))
        .hasMessageStartingWith("[the order] 'p' should complete with");
  }

  @Test
  void a_run_that_never_ends_says_so_instead() {
    engine.redeploy();
    engine.workflow("W", String.class, String.class, (ctx, _) -> ctx.receive(Purchase.APPROVAL));
    var run = engine.start("W", "w", "");

    assertThatThrownBy(() -> assertThat(run).completedWith("x"))
        .hasMessageContaining("'w' never ends");
  }
}
