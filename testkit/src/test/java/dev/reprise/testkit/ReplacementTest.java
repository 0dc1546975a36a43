package dev.reprise.testkit;

import static dev.reprise.testkit.RepriseAssertions.assertThat;
import static dev.reprise.testkit.RepriseAssertions.assertThatThrownBy;

import dev.reprise.ActivityFailed;
import dev.reprise.TypeRef;
import dev.reprise.testkit.Purchase.Shop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplacementTest {
  private final Shop shop = new Shop();
  private final TestEngine engine =
      TestEngine.create().workflow(new Purchase(shop)).activities(shop);

  @AfterEach
  void discard() {
    engine.discard();
  }

  private dev.reprise.Handle<String> approved() {
    var run = engine.start(Purchase.class, "p", "tea");
    run.signal(Purchase.APPROVAL, "ops");
    return run;
  }

  @Test
  void activities_of_every_kind_can_be_replaced() {
    engine
        .replace("Stock.reserve", _ -> 7)
        .replace("Payments.charge", call -> "paid " + call.argument(0, String.class))
        .replace("note", _ -> "noted");

    assertThat(approved()).completedWith("tea for paid tea by ops, 7 left, noted");
    assertThat(shop.done).isEmpty();
    engine.close();
  }

  @Test
  void a_replacement_with_one_argument_can_be_typed() {
    engine.replace("Payments.charge", String.class, item -> "paid " + item.length());

    assertThat(approved()).ran("Payments.charge").once().withResult("paid 3");
  }

  @Test
  void a_replacement_may_throw_and_is_tried_again_as_an_activity_is() {
    engine.replace(
        "Payments.charge",
        call -> {
          if (call.attempt() < 3) throw new IllegalStateException("no connection");
          return call.proceed();
        });

    var run = approved();
    run.result();

    assertThat(run).ran("Payments.charge").once().withAttempts(3).withResult("payment-1");
    assertThat(shop.done).containsExactly("reserve tea", "charge tea");
  }

  @Test
  void a_replacement_can_be_replaced_while_runs_are_open() {
    engine.replace("Payments.charge", _ -> "first").replace("note", _ -> "old");
    var run = approved();
    engine.awaitQuiet();

    engine.replace("note", _ -> "new").replace("Payments.charge", _ -> "second");

    assertThat(run).completedWith("tea for first by ops, 4 left, new");
    engine.close();
  }

  @Test
  void a_call_tells_what_it_is_a_call_of() {
    var seen = new ArrayList<String>();
    engine.replace(
        "Stock.reserve",
        call -> {
          seen.add(call.workflowId() + " " + call.name() + " " + call.id() + call.arguments());
          return call.proceed();
        });

    approved().result();

    assertThat(seen).containsExactly("p Stock.reserve Stock.reserve:1[tea]");
  }

  @Test
  void an_argument_that_is_not_there_is_named() {
    engine.replace("note", call -> call.argument(0, String.class));

    assertThat(approved()).failedWith("note is called with 0 arguments: there is no argument 0");
  }

  @Test
  void results_go_through_the_codec() {
    var given = new ArrayList<>(List.of("a"));
    var type = new TypeRef<List<String>>() {};
    try (var other = TestEngine.create()) {
      other.workflow(
          "W",
          Object.class,
          Boolean.class,
          (ctx, _) -> ctx.run("list", type, () -> given) == given);
      other.replace("list", _ -> given);

      assertThat(other.start("W", "w", null).result()).isEqualTo(false);
    }
  }

  @Test
  void a_result_of_another_type_fails_the_test() {
    engine.replace("Payments.charge", _ -> 42);

    assertThat(engine.start(Purchase.class, "p", "tea"))
        .failedWith(ActivityFailed.class)
        .failedWith(
            "the replacement of Payments.charge returned a value of type java.lang.Integer");
    assertThatThrownBy(engine::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("but the activity returns java.lang.String");
  }

  @Test
  void a_replacement_that_nobody_called_fails_the_test() {
    engine.replace("Payments.chrage", _ -> "typo");
    approved().result();

    assertThatThrownBy(engine::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("replaced, but never called: Payments.chrage")
        .hasMessageContaining("Payments.charge, Stock.reserve, note")
        .hasMessageContaining("engine.lenient()");
  }

  @Test
  void unless_the_test_says_that_this_is_right() {
    engine.lenient().replace("Payments.refund", _ -> null);
    approved().result();

    engine.close();

    assertThat(shop.done).containsExactly("reserve tea", "charge tea");
  }
}
