package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Handle;
import dev.reprise.Name;
import dev.reprise.StartOptions;
import dev.reprise.TypeRef;
import dev.reprise.Workflow;
import dev.reprise.engine.RegisteredActivity;
import dev.reprise.engine.RegisteredWorkflow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Types that the compiler checks, for what is started and registered by name. */
class TypedClientTest {
  private static final TypeRef<List<Item>> ITEMS = new TypeRef<>() {};

  @RegisterExtension final World world = new World(StoreKind.MEMORY);

  record Item(String name) {}

  @Test
  void a_workflow_by_name_has_the_type_that_is_asked_for() {
    var engine =
        world.open(
            r ->
                r.workflow("items", ITEMS, ITEMS, (_, in) -> in.reversed())
                    .workflow("count", ITEMS, Integer.class, (_, in) -> in.size())
                    .workflow("one", String.class, ITEMS, (_, in) -> List.of(new Item(in))));
    var two = List.of(new Item("a"), new Item("b"));

    Handle<List<Item>> items = engine.start("items", ITEMS, "i", two);
    Handle<Integer> count = engine.start("count", Integer.class, "c", two);
    Handle<List<Item>> one =
        engine.start("one", ITEMS, "o", "a", StartOptions.defaults().attribute("of", "a"));
    Handle<Integer> again = engine.handle("c", Integer.class);
    Handle<List<Item>> itemsAgain = engine.handle("i", ITEMS);

    assertThat(result(items).getFirst().name()).isEqualTo("b");
    assertThat(result(count) + result(again)).isEqualTo(4);
    assertThat(result(one).getFirst().name()).isEqualTo("a");
    assertThat(result(itemsAgain).getFirst().name()).isEqualTo("b");
  }

  @Test
  void a_function_with_several_arguments_and_a_result_is_an_activity_for_workers() {
    var engine =
        world.open(
            r ->
                r.activity("rename", Item.class, Item.class, item -> new Item(item.name() + "!"))
                    .activity("join", String.class, Integer.class, String.class, (s, n) -> s + n)
                    .activity(
                        "pick",
                        ITEMS,
                        TypeRef.of(Integer.class),
                        TypeRef.of(String.class),
                        TypeRef.of(Item.class),
                        (items, n, more) -> new Item(items.get(n).name() + more))
                    .activity("first", ITEMS, TypeRef.of(Item.class), List::getFirst)
                    .worker("default", 1)
                    .workflow("code", String.class, String.class, (ctx, in) -> calls(ctx, in)));

    assertThat((String) result(engine.start("code", "w", "a"))).isEqualTo("a!, a1, a+, a");
  }

  private static String calls(Context ctx, String in) {
    var item = new Item(in);
    var renamed = ctx.schedule("rename", Item.class, item);
    var joined = ctx.schedule("join", String.class, in, 1);
    var picked = ctx.schedule("pick", Item.class, List.of(item), 0, "+");
    var first = ctx.schedule("first", Item.class, List.of(item));
    return String.join(
        ", ", renamed.await().name(), joined.await(), picked.await().name(), first.await().name());
  }

  @Test
  void promises_are_waited_for_without_a_list() {
    var text =
        world.play(
            (ctx, _) -> {
              var a = ctx.async(() -> ctx.run("a", String.class, () -> "a"));
              var b = ctx.async(() -> ctx.run("b", String.class, () -> "b"));
              var both = ctx.all(a, b);
              var three = ctx.all(a, b, ctx.async(() -> "c"));
              return both + " " + three + ctx.any(a, b) + ctx.race(b, a) + ctx.any(b, a, b);
            });

    assertThat(text).isEqualTo("[a, b] [a, b, c]abb");
  }

  // ---- what is registered -----------------------------------------------------------------------

  interface Keeper<T> {
    List<T> keep(T value, Map<String, T> others);
  }

  static final class Items implements Keeper<Item> {
    @Override
    @Name("keep-item")
    public List<Item> keep(Item value, Map<String, Item> others) {
      return List.of(value);
    }
  }

  static final class Echo implements Workflow<List<Item>, String> {
    @Override
    public String run(Context ctx, List<Item> in) {
      return in.toString();
    }
  }

  @Test
  void an_engine_says_what_is_registered() {
    var engine =
        world.open(
            r ->
                r.workflow(new Echo())
                    .activities(new Items())
                    .activity("shout", String.class, String.class, String::toUpperCase));

    var parameters = List.of(Item.class, new TypeRef<Map<String, Item>>() {}.type());
    assertThat(engine.workflows())
        .containsExactly(new RegisteredWorkflow("Echo", ITEMS.type(), String.class));
    assertThat(engine.activities())
        .extracting(RegisteredActivity::name)
        .containsExactly("Keeper.keep", "keep-item", "shout");
    assertThat(engine.activities().getFirst().parameters().toString())
        .isEqualTo(parameters.toString());
    assertThat(engine.activities().getLast().result()).isEqualTo(String.class);
  }
}
