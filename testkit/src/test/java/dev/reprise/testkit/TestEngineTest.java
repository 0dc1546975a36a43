package dev.reprise.testkit;

import static dev.reprise.testkit.RepriseAssertions.assertThat;
import static dev.reprise.testkit.RepriseAssertions.assertThatThrownBy;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.TypeRef;
import dev.reprise.Workflow;
import dev.reprise.testkit.Purchase.Shop;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TestEngineTest {
  private static final Signal<String> GO = Signal.of("go", String.class);

  private final Shop shop = new Shop();
  private final AtomicBoolean first = new AtomicBoolean(true);
  private final TestEngine engine = TestEngine.create();

  @AfterEach
  void close() {
    engine.close();
  }

  // ---- set up

  @Test
  void a_workflow_can_have_generic_types() {
    var strings = new TypeRef<List<String>>() {}.type();
    Workflow<List<String>, List<String>> reverse = (_, words) -> words.reversed();
    engine.workflow("Reverse", strings, strings, reverse);

    assertThat(engine.start("Reverse", "r", List.of("a", "b")).result())
        .isEqualTo(List.of("b", "a"));
  }

  @Test
  void mistakes_of_the_set_up_show_where_they_are_made() {
    engine.workflow(new Purchase(shop));

    assertThatThrownBy(() -> engine.workflow(new Purchase(shop)))
        .isInstanceOf(RepriseException.class)
        .hasMessageContaining("two workflows are named 'Purchase'");
  }

  @Test
  void a_workflow_that_reads_the_clock_is_refused_with_the_line_and_what_to_use() {
    assertThatThrownBy(() -> engine.workflow(new ReadsTheClock()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("workflow ReadsTheClock may not be the same on replay")
        .hasMessageContaining("TestEngineTest.java:")
        .hasMessageContaining("ctx.now()");
  }

  @Test
  void a_guard_that_is_not_wanted_lets_it_pass() {
    engine.unguarded().workflow(new ReadsTheClock());

    assertThat(engine.start(ReadsTheClock.class, "c", "").result()).isNotEmpty();
  }

  static final class ReadsTheClock implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String input) {
      return Instant.now().toString();
    }
  }

  @Test
  void after_the_first_use_nothing_can_be_registered() {
    engine.workflow(new Purchase(shop)).activities(shop).start(Purchase.class, "p", "tea");

    assertThatThrownBy(() -> engine.workflow(new Purchase(shop)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("register workflows and activities before the first start");
    assertThatThrownBy(() -> engine.activities(shop)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> engine.codec(null)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_closed_engine_says_so() {
    var closed = TestEngine.create().workflow(new Purchase(shop));
    closed.close();

    assertThatThrownBy(() -> closed.start(Purchase.class, "p", "tea"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("its test is over");
  }

  // ---- the client

  @Test
  void it_is_a_client() {
    engine.workflow(new Purchase(shop)).activities(shop);
    engine.start(Purchase.class, "p", "tea");
    engine.signal("p", Purchase.APPROVAL, "ops");
    engine.start(Purchase.class, "q", "cups");
    engine.cancel("q", "no more");

    assertThat(engine.handle(Purchase.class, "p")).completedWith(expected("tea"));
    assertThat(engine.<String>handle("p", String.class).result()).isEqualTo(expected("tea"));
    assertThat(engine.handle(Purchase.class, "q")).isCancelled();
    assertThat(engine.list(ListQuery.all().with(Status.CANCELLED))).hasSize(1);
    assertThat(engine.nodes()).hasSize(1);
    assertThat(engine.describe("p").status()).isEqualTo(Status.COMPLETED);
    assertThat(engine.history("p")).hasSize(8);
  }

  @Test
  void its_runs_are_found_by_filters_at_the_time_of_the_test() {
    engine.workflow(new Purchase(shop)).activities(shop);
    engine.start(Purchase.class, "p", "tea");
    engine.advance(Duration.ofHours(1));
    engine.start(Purchase.class, "q", "cups");

    assertThat(engine.count("startedAt > now - 30m")).isEqualTo(1);
    assertThat(engine.countBy("status = open", "workflow")).isEqualTo(Map.of("Purchase", 2L));
    assertThat(engine.page(ListQuery.all().where("input = 'tea'").limit(1)).runs()).hasSize(1);
    assertThat(engine.resumeHeld("")).isZero();
  }

  private static String expected(String item) {
    return item + " for payment-1 by ops, 4 left, note";
  }

  @Test
  void a_run_has_the_same_random_numbers_in_each_run_of_a_test() {
    Workflow<String, String> random = (ctx, _) -> ctx.uuid() + " " + ctx.random().nextLong();
    engine.workflow("Random", String.class, String.class, random);
    try (var other = TestEngine.create()) {
      other.workflow("Random", String.class, String.class, random);

      assertThat(other.start("Random", "r", "").result())
          .isEqualTo(engine.start("Random", "r", "").result())
          .isNotEqualTo(engine.start("Random", "s", "").result());
    }
  }

  @Test
  void an_activity_may_call_the_engine() {
    engine.workflow(
        "Sender",
        String.class,
        String.class,
        (ctx, to) -> {
          ctx.run("send", () -> engine.signal(to, GO, "hello"));
          return "sent";
        });
    engine.workflow("Receiver", String.class, String.class, (ctx, _) -> ctx.receive(GO));
    var receiver = engine.start("Receiver", "receiver", "");

    engine.start("Sender", "sender", "receiver");

    assertThat(receiver.result()).isEqualTo("hello");
  }

  // ---- crashes, evictions, releases

  @Test
  void after_a_crash_another_engine_goes_on() {
    engine.workflow(new Purchase(shop)).activities(shop);
    var run = engine.start(Purchase.class, "p", "tea");
    engine.awaitQuiet();

    engine.crash();
    run.signal(Purchase.APPROVAL, "ops");
    engine.crash();

    assertThat(run.result()).isEqualTo(expected("tea"));
    assertThat(shop.done).containsExactly("reserve tea", "charge tea");
  }

  @Test
  void a_crash_in_the_middle_of_an_activity_makes_it_run_again() {
    engine.workflow(new Purchase(shop)).activities(shop);
    engine.replace(
        "Payments.charge",
        call -> {
          var payment = call.proceed();
          if (first.getAndSet(false)) engine.crash(); // nobody writes down that it was done
          return payment;
        });
    var run = engine.start(Purchase.class, "p", "tea");
    run.signal(Purchase.APPROVAL, "ops");

    assertThat(run).completedWith(expected("tea")).ran("Payments.charge").once();
    assertThat(shop.done).containsExactly("reserve tea", "charge tea", "charge tea");
  }

  @Test
  void the_activity_of_a_crashed_engine_has_no_say_any_more() {
    engine.workflow("Receiver", String.class, String.class, (ctx, _) -> ctx.receive(GO));
    engine.workflow(
        "Sender",
        String.class,
        String.class,
        (ctx, _) -> {
          ctx.run("send", () -> {});
          return "sent";
        });
    engine.replace(
        "send",
        _ -> {
          boolean dead = first.getAndSet(false);
          if (dead) engine.crash();
          engine.signal("receiver", GO, dead ? "of the dead" : "of the living");
          return null;
        });
    var receiver = engine.start("Receiver", "receiver", "");

    assertThat(engine.start("Sender", "sender", "")).completedWith("sent");
    assertThat(receiver).completedWith("of the living");
  }

  @Test
  void timers_of_a_crashed_engine_go_off_in_the_next() {
    engine.workflow(new Purchase(shop)).activities(shop);
    var run = engine.start(Purchase.class, "p", "tea");
    run.signal(Purchase.APPROVAL, "ops");
    engine.advance(Duration.ofDays(1));

    engine.crash();
    engine.advance(Duration.ofDays(2));

    assertThat(run.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_run_that_left_memory_comes_back_by_replay() {
    engine.workflow(new Purchase(shop)).activities(shop);
    var run = engine.start(Purchase.class, "p", "tea");

    engine.evict("p");

    assertThat(run.describe().owner()).isNull();
    run.signal(Purchase.APPROVAL, "ops");
    engine.evict("p");
    assertThat(run.result()).isEqualTo(expected("tea"));
    assertThat(shop.done).containsExactly("reserve tea", "charge tea");
  }

  @Test
  void a_run_that_is_needed_at_once_does_not_leave_memory() {
    engine.workflow("W", String.class, String.class, (ctx, _) -> sleep(ctx));
    engine.start("W", "w", "");

    assertThatThrownBy(() -> engine.evict("w"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'w' does not leave memory");
  }

  private static String sleep(dev.reprise.Context ctx) {
    ctx.sleep(Duration.ofMillis(500));
    return "";
  }

  @Test
  void a_new_release_goes_on_with_the_runs_of_the_old_one() {
    engine.workflow("W", String.class, String.class, (ctx, _) -> "old " + ctx.receive(GO));
    engine.start("W", "w", "");

    engine.redeploy();
    engine.workflow("W", String.class, String.class, (ctx, _) -> "new " + ctx.receive(GO));
    engine.signal("w", GO, "code");

    assertThat(engine.<String>handle("w", String.class)).completedWith("new code");
  }

  @Test
  void code_that_does_not_fit_the_history_is_found_when_it_is_deployed() {
    engine.workflow(
        "W",
        String.class,
        String.class,
        (ctx, _) -> {
          ctx.run("step", () -> {});
          return ctx.receive(GO);
        });
    engine.start("W", "w", "");
    engine.redeploy();
    engine.workflow(
        "W",
        String.class,
        String.class,
        (ctx, _) -> {
          ctx.sleep(Duration.ofDays(1));
          return ctx.receive(GO);
        });
    engine.signal("w", GO, "");

    assertThat(engine.<String>handle("w", String.class)).isBlocked();
    assertThat(engine.describe("w").blockedBy()).startsWith(ErrorCode.R101.name());
  }
}
