package dev.reprise.testkit;

import static dev.reprise.testkit.RepriseAssertions.assertThat;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import dev.reprise.Context;
import dev.reprise.ListQuery;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowCancelled;
import dev.reprise.testkit.Purchase.Shop;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

class CrashEverywhereTest {
  private static final Signal<String> GO = Signal.of("go", String.class);

  private static Events run(Class<?> test) {
    return RepriseExtensionTest.run(test).testEvents();
  }

  private static List<String> failures(Events events) {
    return events.failed().stream()
        .map(failed -> failed.getRequiredPayload(TestExecutionResult.class).toString())
        .toList();
  }

  private static List<String> names(Events events) {
    return events.finished().stream()
        .map(Event::getTestDescriptor)
        .map(test -> test.getDisplayName())
        .toList();
  }

  @RepriseTest
  static class Good {
    private final Shop shop = new Shop();

    @BeforeEach
    void register(TestEngine engine) {
      engine.workflow(new Purchase(shop)).activities(shop);
    }

    @CrashEverywhere
    void purchase(TestEngine engine) {
      var run = engine.start(Purchase.class, "p", "tea");
      engine.after(Duration.ofHours(2), () -> run.signal(Purchase.APPROVAL, "ops"));

      assertThat(run).completedWith("tea for payment-1 by ops, 4 left, note");
      assertThat(shop.done).containsExactly("reserve tea", "charge tea");
    }
  }

  @Test
  void the_test_is_run_once_for_every_event() {
    var events = run(Good.class);

    events.assertStatistics(stats -> stats.succeeded(9).failed(0));
    assertThat(names(events))
        .containsExactly(
            "without a crash",
            "crash after event 1: WorkflowStarted Purchase",
            "crash after event 2: ActivityCompleted Stock.reserve:1",
            "crash after event 3: ActivityCompleted Payments.charge:1",
            "crash after event 4: SignalReceived approval",
            "crash after event 5: TimerScheduled sleep:1",
            "crash after event 6: TimerFired sleep:1",
            "crash after event 7: ActivityCompleted note:1",
            "crash after event 8: WorkflowCompleted");
  }

  /** Calls of every kind are under way when the engine crashes. */
  static class Calls {
    @CrashEverywhere
    void several_runs(TestEngine engine) {
      engine.workflow("Ask", String.class, String.class, (ctx, _) -> ctx.receive(GO));
      engine.workflow(
          "Retry",
          String.class,
          String.class,
          (ctx, in) -> ctx.run("unsafe", String.class, () -> in) + " " + ctx.uuid());
      engine.workflow("Stubborn", String.class, String.class, (ctx, _) -> refuseToBeCancelled(ctx));
      engine.replace("unsafe", CrashEverywhereTest::secondTime);
      var ask = engine.start("Ask", "ask", "");
      ask.signal(GO, "went");
      var retry = engine.start("Retry", "retry", "in");
      var cancelled = engine.start("Ask", "cancelled", "");
      cancelled.cancel("no more");
      var stubborn = engine.start("Stubborn", "stubborn", "");
      stubborn.cancel("please");

      assertThat(ask).completedWith("went");
      assertThat(cancelled).isCancelled();
      assertThat(stubborn).completedWith("no");
      assertThat(retry.result().toString()).startsWith("done ");
      assertThat(retry).ran("unsafe").once().withAttempts(2);
      assertThat(engine.list(ListQuery.all())).hasSize(4);
    }
  }

  private static String refuseToBeCancelled(Context ctx) {
    try {
      return ctx.receive(GO);
    } catch (WorkflowCancelled cancelled) {
      return "no";
    }
  }

  private static String secondTime(Call call) {
    if (call.attempt() == 1) throw new IllegalStateException("not yet");
    return "done";
  }

  @Test
  void calls_of_the_test_survive_the_crash() {
    var events = run(Calls.class);

    assertThat(failures(events)).isEmpty();
    assertThat(names(events))
        .hasSizeGreaterThan(8)
        .contains("crash after event 1 of ask: WorkflowStarted Ask");
  }

  static class Concurrent {
    @CrashEverywhere
    void branches(TestEngine engine) {
      engine.workflow(
          "Branches",
          Integer.class,
          Integer.class,
          (ctx, count) ->
              ctx
                  .all(
                      java.util.stream.IntStream.range(0, count)
                          .mapToObj(i -> ctx.async(() -> ctx.run("step" + i, int.class, () -> i)))
                          .toList())
                  .stream()
                  .mapToInt(i -> i)
                  .sum());

      assertThat(engine.start("Branches", "b", 4)).completedWith(6);
    }
  }

  @Test
  void activities_that_run_at_the_same_time_may_end_in_any_order() {
    run(Concurrent.class).assertStatistics(stats -> stats.succeeded(7).failed(0));
  }

  // ---- what it finds

  static class OtherArguments {
    private static final AtomicInteger COUNT = new AtomicInteger();

    @CrashEverywhere
    void counts(TestEngine engine) {
      engine.unguarded();
      engine.workflow(
          "W",
          String.class,
          String.class,
          (ctx, _) -> {
            ctx.run(this::use, COUNT.incrementAndGet()); // not the same when it runs again
            return ctx.receive(GO);
          });
      var run = engine.start("W", "w", "");
      run.signal(GO, "x");

      assertThat(run.result()).isEqualTo("x");
    }

    void use(int count) {
      assertThat(count).isPositive();
    }
  }

  @Test
  void code_that_goes_another_way_is_found() {
    run(OtherArguments.class)
        .failed()
        .assertThatEvents()
        .haveAtLeastOne(
            event(
                finishedWithFailure(
                    instanceOf(WorkflowBlocked.class), message(text -> text.contains("R101")))));
  }

  static class OtherResult {
    @CrashEverywhere
    void random(TestEngine engine) {
      engine.unguarded();
      engine.workflow(
          "W", String.class, String.class, (ctx, _) -> ctx.receive(GO) + UUID.randomUUID());
      var run = engine.start("W", "w", "");
      run.signal(GO, "x");

      assertThat(run.result().toString()).startsWith("x");
    }
  }

  @Test
  void a_result_that_is_not_the_same_each_time_is_found() {
    run(OtherResult.class)
        .failed()
        .assertThatEvents()
        .haveAtLeastOne(
            event(
                finishedWithFailure(
                    instanceOf(AssertionError.class),
                    message(
                        text ->
                            text.contains("'w' ended otherwise than without the crash after event")
                                && text.contains("event without the crash: WorkflowCompleted")
                                && text.contains("w, a W: COMPLETED")))));
  }

  static class Unsteady {
    private static final AtomicInteger COUNT = new AtomicInteger();

    @CrashEverywhere
    void shorter_each_time(TestEngine engine) {
      engine.workflow(
          "W",
          Integer.class,
          Integer.class,
          (ctx, steps) -> {
            for (int i = 0; i < steps; i++) ctx.run("step", () -> {});
            return 0;
          });

      engine.start("W", "w", COUNT.getAndIncrement() == 0 ? 5 : 1).result();
    }
  }

  @Test
  void a_test_that_does_something_else_each_time_is_told_so() {
    run(Unsteady.class)
        .failed()
        .assertThatEvents()
        .haveAtLeastOne(
            event(
                finishedWithFailure(
                    message(text -> text.contains("was never recorded, so there was no crash")))));
  }

  static class Failing {
    @CrashEverywhere
    void fails(TestEngine engine) {
      engine.workflow("W", String.class, String.class, (_, in) -> in);

      assertThat(engine.start("W", "w", "a")).completedWith("b");
    }

    @CrashEverywhere
    void starts_nothing(TestEngine engine) {
      assertThat(engine.now()).isEqualTo(TestEngine.START);
    }
  }

  @Test
  void a_test_that_fails_anyway_is_run_once() {
    var events = run(Failing.class);

    events.assertStatistics(stats -> stats.started(2).failed(2));
    events
        .failed()
        .assertThatEvents()
        .haveExactly(
            1,
            event(
                finishedWithFailure(
                    message(text -> text.contains("the test started no workflow to crash")))));
  }

  static class Long {
    @CrashEverywhere(limit = 5, onlyOutcomes = true)
    void hundred_steps(TestEngine engine) {
      engine.workflow(
          "W",
          Integer.class,
          Integer.class,
          (ctx, steps) -> {
            for (int i = 0; i < steps; i++) ctx.run("step", () -> {});
            return steps;
          });

      assertThat(engine.start("W", "w", 99)).completedWith(99);
    }
  }

  @Test
  void a_long_history_is_crashed_at_some_events_and_says_so() {
    assertThat(names(run(Long.class)))
        .containsExactly(
            "without a crash",
            "crash after event 1: WorkflowStarted W (5 of 101 events, evenly spread)",
            "crash after event 26: ActivityCompleted step:25 (5 of 101 events, evenly spread)",
            "crash after event 51: ActivityCompleted step:50 (5 of 101 events, evenly spread)",
            "crash after event 76: ActivityCompleted step:75 (5 of 101 events, evenly spread)",
            "crash after event 101: WorkflowCompleted (5 of 101 events, evenly spread)");
  }

  @Test
  void it_works_where_tests_run_in_parallel() {
    EngineTestKit.engine("junit-jupiter")
        .selectors(
            org.junit.platform.engine.discovery.DiscoverySelectors.selectClass(Good.class),
            org.junit.platform.engine.discovery.DiscoverySelectors.selectClass(Concurrent.class))
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
        .execute()
        .testEvents()
        .assertStatistics(stats -> stats.succeeded(16).failed(0));
  }

  /** A payment service outside. */
  interface Pay {
    String charge(String order);
  }

  /** What a beginner writes: the effect happens again on each replay. */
  static final class Direct implements Workflow<String, String> {
    private final Pay pay;

    Direct(Pay pay) {
      this.pay = pay;
    }

    @Override
    public String run(Context ctx, String order) {
      var receipt = pay.charge(order);
      ctx.sleep(Duration.ofDays(1));
      return receipt;
    }
  }

  @RepriseTest
  static class Registered {
    @CrashEverywhere
    void direct(TestEngine engine) {
      engine.workflow(new Direct(order -> "receipt of " + order));
      assertThat(engine.start(Direct.class, "o", "tea")).completedWith("receipt of tea");
    }
  }

  @Test
  void an_effect_that_is_no_activity_is_found_when_the_workflow_is_registered() {
    assertThat(failures(run(Registered.class)))
        .singleElement()
        .asString()
        .contains("Pay.charge(…) is called on an object from outside of the workflow")
        .contains("use ctx.run(pay::charge, …)");
  }

  @RepriseTest
  static class Watched {
    @CrashEverywhere
    void direct(TestEngine engine) {
      var pay = engine.unguarded().effects(Pay.class, order -> "receipt of " + order);
      engine.workflow(new Direct(pay));
      engine.start(Direct.class, "o", "tea");
    }

    @CrashEverywhere
    void as_an_activity(TestEngine engine) {
      var pay = engine.effects(Pay.class, order -> "receipt of " + order);
      engine.workflow(
          "Shop", String.class, String.class, (ctx, order) -> ctx.run(pay::charge, order));
      assertThat(engine.start("Shop", "o", "tea")).completedWith(pay.charge("tea"));
    }
  }

  @Test
  void an_effect_that_the_bytecode_does_not_show_is_found_when_it_happens() {
    var events = run(Watched.class);

    assertThat(failures(events))
        .isNotEmpty()
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .contains(
                        "workflow code called Pay.charge directly, so it is called again after each"
                            + " crash"));
    assertThat(events.succeeded().count()).isEqualTo(4);
  }
}
