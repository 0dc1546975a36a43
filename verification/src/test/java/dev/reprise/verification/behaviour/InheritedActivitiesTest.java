package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.HistoryEvent;
import dev.reprise.RetryPolicy;
import dev.reprise.Steps;
import dev.reprise.Workflow;
import dev.reprise.WorkflowFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Activities whose methods and types come from an interface above: generic, and inherited. */
class InheritedActivitiesTest {
  private static final ActivityOptions ON_QUEUE = ActivityOptions.onQueue("q");

  @RegisterExtension final World world = new World(StoreKind.MEMORY);

  record Order(String id) {}

  interface Keeper<K extends Comparable<K>, V> {
    V keep(K key, V value);

    Map<K, List<V>> all(V[] values);

    void forget(V value);
  }

  interface Repo<T> extends Keeper<String, T> {
    List<T> twice(T value);

    default List<T> none() {
      return List.of();
    }
  }

  interface Orders extends Repo<Order> {}

  abstract static class Shelf<T> implements Repo<T> {
    final List<T> forgotten = new CopyOnWriteArrayList<>();

    public T first(List<T> values) {
      return values.getFirst();
    }

    @Override
    public T keep(String key, T value) {
      return value;
    }

    @Override
    public List<T> twice(T value) {
      return List.of(value, value);
    }

    @Override
    public void forget(T value) {
      forgotten.add(value);
    }
  }

  static final class OrderShelf extends Shelf<Order> implements Orders {
    @Override
    public Map<String, List<Order>> all(Order[] values) {
      return Map.of("all", List.of(values));
    }
  }

  private final OrderShelf shelf = new OrderShelf();
  private final Orders orders = shelf;

  private String play(Workflow<String, String> code) {
    var engine =
        world.open(
            r ->
                r.retry(RetryPolicy.none())
                    .activities(shelf)
                    .worker("q", 2)
                    .workflow("code", String.class, String.class, code));
    return (String) result(engine.start("code", "w", "o"));
  }

  /** By reference and by proxy, here and on a queue. */
  static Stream<Named<Function<Context, Steps>>> places() {
    return Stream.of(
        Named.of("inline", ctx -> ctx), Named.of("on a queue", ctx -> ctx.with(ON_QUEUE)));
  }

  @ParameterizedTest
  @MethodSource("places")
  void a_reference_through_a_generic_interface_has_its_types(Function<Context, Steps> place) {
    var text =
        play(
            (ctx, in) -> {
              var steps = place.apply(ctx);
              var order = new Order(in);
              var kept = steps.run(orders::keep, "k", order).id();
              var twice = steps.run(orders::twice, order).get(1).id();
              var all = steps.run(orders::all, new Order[] {order});
              var first = steps.run(shelf::first, List.of(order)).id();
              return kept + twice + all.get("all").getFirst().id() + first;
            });

    assertThat(text).isEqualTo("oooo");
  }

  @ParameterizedTest
  @MethodSource("options")
  void a_proxy_of_a_generic_interface_has_its_types(ActivityOptions options) {
    var text =
        play(
            (ctx, in) -> {
              var proxy = ctx.activities(Orders.class, options);
              var order = new Order(in);
              var kept = proxy.keep("k", order).id();
              var twice = proxy.twice(order).get(1).id();
              return kept + twice + proxy.all(new Order[] {order}).get("all").getFirst().id();
            });

    assertThat(text).isEqualTo("ooo");
  }

  static Stream<ActivityOptions> options() {
    return Stream.of(ActivityOptions.defaults(), ON_QUEUE);
  }

  /** Where the declared type says nothing, the object does, each its own. */
  private static <T> T kept(Context ctx, Repo<T> repo, T value) {
    return ctx.run(repo::twice, value).get(1);
  }

  static final class Names extends Shelf<String> {
    @Override
    public Map<String, List<String>> all(String[] values) {
      return Map.of();
    }
  }

  @Test
  void a_reference_to_a_generic_variable_has_the_types_of_the_object() {
    var names = new Names();

    var text =
        play(
            (ctx, in) ->
                kept(ctx, names, "n")
                    + kept(ctx, orders, new Order(in)).id()
                    + kept(ctx, names, "m"));

    assertThat(text).isEqualTo("nom");
  }

  @Test
  void a_compensation_through_a_generic_interface_gets_its_argument() {
    assertThatThrownBy(
            () ->
                play(
                    (ctx, in) -> {
                      ctx.compensate(orders::forget, new Order(in));
                      throw new IllegalStateException("undo");
                    }))
        .isInstanceOf(WorkflowFailed.class);

    assertThat(shelf.forgotten).containsExactly(new Order("o"));
  }

  // ---- one name on both sides of a queue --------------------------------------------------------

  @Test
  void an_inherited_method_is_found_by_each_name_that_it_has() {
    var names = new ArrayList<String>();
    play(
        (ctx, in) -> {
          var order = new Order(in);
          ctx.with(ON_QUEUE).run(orders::twice, order);
          ctx.with(ON_QUEUE).run(shelf::twice, order);
          ctx.activities(Orders.class, ON_QUEUE).twice(order);
          ctx.activities(Repo.class, ON_QUEUE).none();
          ctx.activities(Orders.class, ON_QUEUE).none();
          return "done";
        });

    for (var event : world.engine().history("w")) {
      if (event.type().equals("ActivityScheduled")) names.add(event.subject());
    }
    assertThat(names)
        .containsExactly(
            "Repo.twice:1", "Shelf.twice:1", "Orders.twice:1", "Repo.none:1", "Orders.none:1");
  }

  @Test
  void a_retry_policy_given_for_one_name_counts_for_all_names_of_the_method() {
    interface Base {
      void fail();
    }
    interface Child extends Base {}
    Child child =
        () -> {
          throw new IllegalStateException("no");
        };
    var engine =
        world.open(
            r ->
                r.retry("Child.fail", RetryPolicy.none())
                    .activities(child)
                    .workflow(
                        "code",
                        String.class,
                        String.class,
                        (ctx, _) -> {
                          ctx.run(child::fail);
                          return "done";
                        }));

    var handle = engine.start("code", "w", "");

    assertThatThrownBy(handle::result).isInstanceOf(WorkflowFailed.class);
    assertThat(handle.history().stream().map(HistoryEvent::type))
        .doesNotContain("ActivityRetryScheduled");
  }

  // ---- names that do not say which --------------------------------------------------------------

  interface Printer {
    String print(String text);

    String print(Order order);
  }

  static final class Press implements Printer {
    @Override
    public String print(String text) {
      return text;
    }

    @Override
    public String print(Order order) {
      return order.id();
    }
  }

  @Test
  void an_overloaded_method_is_refused_where_only_its_name_is_known() {
    var press = new Press();
    var engine =
        world.open(
            r ->
                r.activities(press)
                    .worker("q", 1)
                    .workflow(
                        "code",
                        String.class,
                        String.class,
                        (ctx, in) ->
                            ctx.activities(Printer.class).print(in)
                                + ctx.activities(Printer.class, ON_QUEUE).print(in)));

    var handle = engine.start("code", "w", "a");

    assertThatThrownBy(handle::result)
        .hasMessageContaining("R103")
        .hasMessageContaining("several methods that are recorded as 'Printer.print'")
        .hasMessageContaining("@Name");
  }
}
