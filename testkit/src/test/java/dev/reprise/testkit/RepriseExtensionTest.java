package dev.reprise.testkit;

import static dev.reprise.testkit.RepriseAssertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.displayName;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.suppressed;

import dev.reprise.testkit.Purchase.Shop;
import java.time.Duration;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

class RepriseExtensionTest {

  static EngineExecutionResults run(Class<?>... tests) {
    var kit = EngineTestKit.engine("junit-jupiter");
    for (var test : tests) kit.selectors(selectClass(test));
    return kit.execute();
  }

  @RepriseTest
  static class Good {
    private final Shop shop = new Shop();
    private final TestEngine ofConstructor;

    Good(TestEngine engine) {
      ofConstructor = engine;
    }

    @BeforeEach
    void register(TestEngine engine) {
      assertThat(engine).isSameAs(ofConstructor);
      engine.workflow(new Purchase(shop)).activities(shop);
    }

    @Test
    void one(TestEngine engine) {
      assertThat(engine).isSameAs(ofConstructor);
      var run = engine.start(Purchase.class, "p", "tea");
      engine.after(Duration.ofDays(1), () -> run.signal(Purchase.APPROVAL, "ops"));

      assertThat(run.result()).contains("by ops");
    }

    @Test
    void another(TestEngine engine) {
      assertThat(engine.start(Purchase.class, "p", "cups"))
          .failedWith("nobody approved cups")
          .ran("Payments.charge")
          .once();
    }

    @Test
    void without_an_engine() {
      assertThat(shop.done).isEmpty();
    }

    @AfterEach
    void look(TestEngine engine) {
      assertThat(engine).isSameAs(ofConstructor);
    }
  }

  @Test
  void each_test_has_an_engine_of_its_own() {
    run(Good.class).testEvents().assertStatistics(stats -> stats.succeeded(3).failed(0));
  }

  @RepriseTest
  static class Bad {
    private final Shop shop = new Shop();

    @Test
    void fails(TestEngine engine) {
      engine.workflow(new Purchase(shop)).activities(shop);
      engine.start(Purchase.class, "order-7", "tea");
      engine.replace("typo", _ -> null);

      assertThat(shop.done).contains("something else");
    }

    @Test
    void leaves_a_replacement_behind(TestEngine engine) {
      engine.workflow(new Purchase(shop)).activities(shop);
      engine.replace("typo", _ -> null);
      engine.start(Purchase.class, "order-7", "tea");
    }

    @Test
    void swallows_the_failure_of_an_action(TestEngine engine) {
      engine.workflow(new Purchase(shop)).activities(shop);
      engine.start(Purchase.class, "order-7", "tea");
      engine.after(Duration.ofHours(1), () -> assertThat(shop.done).contains("more"));
      try {
        engine.advance(Duration.ofDays(1));
      } catch (AssertionError swallowed) {
        assertThat(swallowed).hasMessageContaining("more");
      }
    }
  }

  @Test
  void a_failed_test_shows_the_histories_of_its_runs() {
    run(Bad.class)
        .testEvents()
        .failed()
        .assertThatEvents()
        .haveExactly(
            1,
            event(
                displayName("fails(TestEngine)"),
                finishedWithFailure(
                    instanceOf(AssertionError.class),
                    message(text -> text.contains("something else")),
                    suppressed(0, shows("order-7, a Purchase: RUNNING", "Payments.charge:1")))));
  }

  private static Condition<Throwable> shows(String... texts) {
    return new Condition<>(
        shown -> java.util.stream.Stream.of(texts).allMatch(shown.toString()::contains), "history");
  }

  @Test
  void what_is_wrong_at_the_end_fails_the_test() {
    run(Bad.class)
        .testEvents()
        .assertStatistics(stats -> stats.failed(3))
        .failed()
        .assertThatEvents()
        .haveExactly(
            1,
            event(
                displayName("leaves_a_replacement_behind(TestEngine)"),
                finishedWithFailure(message(text -> text.contains("never called: typo")))))
        .haveExactly(
            1,
            event(
                displayName("swallows_the_failure_of_an_action(TestEngine)"),
                finishedWithFailure(
                    message(text -> text.contains("what was to happen at a certain time")))));
  }

  @RepriseTest
  static class OfAll {
    @BeforeAll
    static void before(TestEngine engine) {
      throw new IllegalStateException("never called with " + engine);
    }

    @Test
    void test() {
      throw new IllegalStateException("never called");
    }
  }

  @Test
  void an_engine_for_all_tests_is_refused() {
    run(OfAll.class)
        .containerEvents()
        .failed()
        .assertThatEvents()
        .haveExactly(
            1,
            event(
                finishedWithFailure(
                    message(text -> text.contains("each test has a TestEngine of its own")))));
  }

  @RepriseTest
  static class First extends Busy {}

  @RepriseTest
  static class Second extends Busy {}

  @RepriseTest
  static class Third extends Busy {}

  abstract static class Busy {
    @org.junit.jupiter.api.RepeatedTest(4)
    void year(TestEngine engine) {
      engine.workflow(
          "Year",
          String.class,
          String.class,
          (ctx, _) -> {
            for (int day = 0; day < 365; day++) ctx.sleep(Duration.ofDays(1));
            return ctx.now().toString();
          });

      assertThat(engine.start("Year", "same-id", "")).completedWith("2031-01-01T00:00:00Z");
      assertThat(engine.now()).isEqualTo(TestEngine.START.plus(Duration.ofDays(365)));
    }
  }

  @Test
  void test_classes_may_run_in_parallel() {
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(First.class), selectClass(Second.class), selectClass(Third.class))
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
        .execute()
        .testEvents()
        .assertStatistics(stats -> stats.succeeded(12).failed(0));
  }
}
