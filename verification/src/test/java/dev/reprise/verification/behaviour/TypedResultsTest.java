package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.Samples.APPLE;
import static dev.reprise.verification.behaviour.Samples.PEAR;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.TypeRef;
import dev.reprise.Workflow;
import dev.reprise.verification.behaviour.Samples.Full;
import dev.reprise.verification.behaviour.Samples.Item;
import dev.reprise.verification.behaviour.Samples.Payment;
import dev.reprise.verification.behaviour.Samples.Size;
import dev.reprise.verification.behaviour.Samples.Transfer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a step returned is what the code gets, when it runs the first time and when it replays. */
class TypedResultsTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);

  @RegisterExtension final World world = new World(StoreKind.MEMORY);

  // ---- live and replayed ------------------------------------------------------------------------

  /** What the code was given, the first time and after a crash. */
  private List<Object> seen(Function<Context, Object> step) {
    var seen = new ArrayList<>();
    Workflow<String, String> code =
        (ctx, _) -> {
          seen.add(step.apply(ctx));
          return ctx.receive(WORD);
        };
    var first = world.open(r -> r.workflow("code", String.class, String.class, code));
    world.settle(first.start("code", "w", ""));
    world.crash();
    var second = world.open(r -> r.workflow("code", String.class, String.class, code));
    second.signal("w", WORD, "done");
    assertThat(result(second, "w")).isEqualTo("done");
    return seen;
  }

  @ParameterizedTest
  @MethodSource("dev.reprise.verification.behaviour.Samples#values")
  void a_value_survives(TypeRef<?> type, Object value) {
    var seen = seen(ctx -> ctx.run("step", type, () -> cast(value)));

    assertSame(seen, value);
  }

  @ParameterizedTest
  @MethodSource("dev.reprise.verification.behaviour.Samples#values")
  void a_value_survives_as_input_and_as_output_of_a_workflow(TypeRef<?> type, Object value) {
    var given = new ArrayList<>();
    Workflow<Object, Object> echo =
        (_, in) -> {
          given.add(in);
          return in;
        };
    var engine = world.open(r -> r.workflow("echo", type.type(), type.type(), echo));

    Object output = result(engine.start("echo", "w", value));

    given.add(output);
    assertSame(given, value);
  }

  @SuppressWarnings("unchecked")
  private static <T> T cast(Object value) {
    return (T) value;
  }

  private static void assertSame(List<Object> seen, Object value) {
    assertThat(seen).hasSize(2).allSatisfy(one -> assertThat(one).isEqualTo(value));
  }

  // ---- by method reference ----------------------------------------------------------------------

  interface Shop {
    Item item();

    List<Item> items();

    Map<Size, List<Payment>> payments();

    Payment payment();

    int count();

    void nothing();

    Optional<Item> maybe();

    <T> T same(T value);
  }

  static final class CornerShop implements Shop {
    @Override
    public Item item() {
      return APPLE;
    }

    @Override
    public List<Item> items() {
      return List.of(APPLE);
    }

    @Override
    public Map<Size, List<Payment>> payments() {
      return Map.of(Size.SMALL, List.of(new Full()));
    }

    @Override
    public Payment payment() {
      return new Transfer("DE");
    }

    @Override
    public int count() {
      return 7;
    }

    @Override
    public void nothing() {}

    @Override
    public Optional<Item> maybe() {
      return Optional.of(PEAR);
    }

    @Override
    public <T> T same(T value) {
      return value;
    }
  }

  @Test
  void types_are_read_from_method_references() {
    var shop = new CornerShop();
    Shop byInterface = shop;

    var seen =
        seen(
            ctx -> {
              ctx.run(shop::nothing);
              var item = ctx.run(shop::item);
              Item first = ctx.run(shop::items).getFirst();
              Payment payment = ctx.run(byInterface::payments).get(Size.SMALL).getFirst();
              Payment transfer = ctx.run(shop::payment);
              int count = ctx.run(byInterface::count);
              Item same = ctx.<Item, Item>run(shop::same, APPLE);
              return List.of(item, first, payment, transfer, count, ctx.run(shop::maybe), same);
            });

    assertSame(
        seen, List.of(APPLE, APPLE, new Full(), new Transfer("DE"), 7, Optional.of(PEAR), APPLE));
  }

  @Test
  void types_are_read_from_the_interface_of_a_proxy() {
    var seen = new ArrayList<>();
    Workflow<String, String> code =
        (ctx, _) -> {
          var shop = ctx.activities(Shop.class);
          shop.nothing();
          seen.add(
              List.of(
                  shop.item(),
                  shop.items(),
                  shop.payments(),
                  shop.payment(),
                  shop.count(),
                  shop.maybe()));
          return ctx.receive(WORD);
        };
    var first =
        world.open(
            r -> r.activities(new CornerShop()).workflow("code", String.class, String.class, code));
    world.settle(first.start("code", "w", ""));
    world.crash();
    var second =
        world.open(
            r -> r.activities(new CornerShop()).workflow("code", String.class, String.class, code));
    second.signal("w", WORD, "done");
    result(second, "w");

    assertSame(
        seen,
        List.of(
            APPLE,
            List.of(APPLE),
            Map.of(Size.SMALL, List.of(new Full())),
            new Transfer("DE"),
            7,
            Optional.of(PEAR)));
  }

  @Test
  void a_workflow_may_have_neither_input_nor_result() {
    var engine = world.open(r -> r.workflow("nothing", Void.class, Void.class, (ctx, in) -> in));

    assertThat((Object) result(engine.start("nothing", "w", null))).isNull();
  }

  @Test
  void a_step_without_a_result_replays_as_one() {
    var calls = new Calls();

    var seen =
        seen(
            ctx -> {
              ctx.run("nothing", () -> calls.add("nothing"));
              return "went on";
            });

    assertThat(seen).containsExactly("went on", "went on");
    assertThat(calls.all()).containsExactly("nothing");
  }

  @Test
  void the_code_is_given_what_a_replay_would_give_from_the_first_time_on() {
    var original = new ArrayList<>(List.of("a"));

    var seen =
        seen(
            ctx -> {
              Object undeclared =
                  ctx.run("map", Object.class, () -> new TreeMap<>(Map.of("a", "b")));
              var list = ctx.run("list", new TypeRef<List<String>>() {}, () -> original);
              return List.of(undeclared instanceof LinkedHashMap<?, ?>, list == original, list);
            });

    assertSame(seen, List.of(true, false, List.of("a")));
  }

  @Test
  void what_the_code_does_to_a_value_does_not_change_what_is_replayed() {
    var seen =
        seen(
            ctx -> {
              var list =
                  ctx.run(
                      "list", new TypeRef<List<String>>() {}, () -> new ArrayList<>(List.of("a")));
              var before = List.copyOf(list);
              list.add("b");
              return before;
            });

    assertThat(seen).containsExactly(List.of("a"), List.of("a"));
  }
}
