package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.Change.WORD;
import static dev.reprise.verification.behaviour.Change.end;
import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Status;
import dev.reprise.TypeRef;
import dev.reprise.Workflow;
import java.math.BigDecimal;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replay compares arguments. Those that are equal are never taken for others, although sets and
 * maps may go through their elements in another order in each process; others are told apart.
 */
class ArgumentsTest {
  @RegisterExtension final World world = new World(StoreKind.MEMORY);
  private final Change change = new Change(world);

  enum Day {
    MONDAY,
    TUESDAY,
    WEDNESDAY
  }

  record Slot(Day day, int hour) {}

  record Plan(Set<Slot> slots, Map<Slot, String> names) {}

  sealed interface Shape {}

  record Circle(int size) implements Shape {}

  record Square(int size) implements Shape {}

  private static final Slot EARLY = new Slot(Day.MONDAY, 8);
  private static final Slot NOON = new Slot(Day.TUESDAY, 12);
  private static final Slot LATE = new Slot(Day.WEDNESDAY, 20);
  private static final List<String> WORDS = List.of("b", "c", "a", "e", "d", "g", "f");

  private static <T> Set<T> set(List<T> elements) {
    return Collections.unmodifiableSet(new Shuffled<>(elements));
  }

  private static <K> Map<K, Integer> map(List<K> keys) {
    var entries = keys.stream().map(key -> Map.entry(key, key.hashCode())).toList();
    return new AbstractMap<>() {
      @Override
      public Set<Map.Entry<K, Integer>> entrySet() {
        return new Shuffled<>(entries);
      }
    };
  }

  /** A set without an order of its own that goes through its elements as it was told. */
  private static final class Shuffled<T> extends AbstractSet<T> {
    private final List<T> elements;

    Shuffled(List<T> elements) {
      this.elements = elements;
    }

    @Override
    public Iterator<T> iterator() {
      return elements.iterator();
    }

    @Override
    public int size() {
      return elements.size();
    }
  }

  static List<Arguments> equal() {
    var backwards = WORDS.reversed();
    var slots = List.of(EARLY, NOON, LATE);
    return List.of(
        pair("sets of text", set(WORDS), set(backwards)),
        pair("kinds of sets", Set.copyOf(WORDS), new HashSet<>(WORDS)),
        pair("sets of enums", set(List.of(Day.values())), set(List.of(Day.values()).reversed())),
        pair("enum sets", EnumSet.allOf(Day.class), EnumSet.allOf(Day.class)),
        pair("sets of records", set(slots), set(slots.reversed())),
        pair("sets of numbers", set(List.of(10, 9, 100)), set(List.of(100, 10, 9))),
        pair(
            "sets of sets",
            set(List.of(set(WORDS), Set.of("x"))),
            set(List.of(Set.of("x"), set(backwards)))),
        pair(
            "sets of sealed types",
            set(List.of(new Circle(1), new Square(1))),
            set(List.of(new Square(1), new Circle(1)))),
        pair("maps by text", map(WORDS), map(backwards)),
        pair("kinds of maps", new HashMap<>(map(WORDS)), Map.copyOf(map(WORDS))),
        pair("sorted maps", new TreeMap<>(map(WORDS)), new TreeMap<>(map(backwards))),
        pair("maps by enum", map(List.of(Day.values())), map(List.of(Day.values()).reversed())),
        pair("maps by record", map(slots), map(slots.reversed())),
        pair("maps by number", map(List.of(10, 9, 100)), map(List.of(100, 10, 9))),
        pair("maps in lists", List.of(map(WORDS)), List.of(map(backwards))),
        pair(
            "records",
            new Plan(set(slots), Map.of(EARLY, "a", NOON, "b")),
            new Plan(set(slots.reversed()), new HashMap<>(Map.of(NOON, "b", EARLY, "a")))),
        pair("arrays", new int[] {1, 2}, new int[] {1, 2}),
        pair("nothing", null, null));
  }

  static List<Arguments> different() {
    return List.of(
        pair("order of a list", List.of("a", "b"), List.of("b", "a")),
        pair("size of a set", set(WORDS), set(WORDS.subList(1, 7))),
        pair("value in a map", Map.of("a", 1), Map.of("a", 2)),
        pair("scale of a decimal", new BigDecimal("1.0"), new BigDecimal("1.00")),
        pair("subtype of a sealed type", new Circle(1), new Square(1)),
        pair("subtype in a list", List.of(new Plan(Set.of(), Map.of())), List.of(new Square(1))),
        pair("text and number", "1", 1),
        pair("something and nothing", "", null),
        pair("order of a map that has one", inOrder("a", "b"), inOrder("b", "a")),
        pair("field of a record", EARLY, NOON));
  }

  private static Map<String, Integer> inOrder(String first, String second) {
    var map = new LinkedHashMap<String, Integer>();
    map.put(first, 1);
    map.put(second, 1);
    return map;
  }

  private static Arguments pair(String name, Object first, Object second) {
    return Arguments.argumentSet(name, first, second);
  }

  private Workflow<String, String> passing(Object argument) {
    return (ctx, _) -> {
      ctx.run(this::take, argument);
      ctx.run(this::takeBoth, "beside", argument);
      return end(ctx);
    };
  }

  int take(Object value) {
    return 1;
  }

  int takeBoth(String beside, Object value) {
    return 2;
  }

  @ParameterizedTest
  @MethodSource("equal")
  void equal_arguments_are_not_accused(Object first, Object second) {
    change.record(passing(first));
    var engine = change.open(passing(second));
    engine.signal("w", WORD, "go");

    assertThat(result(engine, "w")).isEqualTo("walked go");
  }

  @ParameterizedTest
  @MethodSource("different")
  void other_arguments_are_detected(Object first, Object second) {
    change.record(passing(first));
    var engine = change.open(passing(second));
    engine.signal("w", WORD, "go");

    awaitStatus(engine, "w", Status.BLOCKED);
    assertThat(engine.describe("w").blockedBy()).startsWith("R101");
  }

  static List<Arguments> inputs() {
    var days = List.of(Day.values());
    var slots = List.of(EARLY, NOON, LATE);
    var backwards = WORDS.reversed();
    return List.of(
        input(new TypeRef<Set<String>>() {}, set(WORDS), set(backwards)),
        input(new TypeRef<Set<Slot>>() {}, set(slots), set(slots.reversed())),
        input(new TypeRef<Map<String, Integer>>() {}, map(WORDS), map(backwards)),
        input(new TypeRef<Map<Day, Integer>>() {}, map(days), map(days.reversed())),
        input(
            new TypeRef<List<Map<String, Integer>>>() {},
            List.of(map(WORDS)),
            List.of(map(backwards))),
        input(new TypeRef<int[]>() {}, new int[] {1, 2}, new int[] {1, 2}),
        input(new TypeRef<Slot>() {}, EARLY, new Slot(Day.MONDAY, 8)));
  }

  private static Arguments input(TypeRef<?> type, Object first, Object second) {
    return Arguments.argumentSet(type.toString(), type, first, second);
  }

  @ParameterizedTest
  @MethodSource("inputs")
  void the_same_input_in_another_order_is_the_same_start(
      TypeRef<?> type, Object first, Object second) {
    var engine = world.open(r -> r.workflow("echo", type.type(), Integer.class, (_, _) -> 1));

    var one = engine.start("echo", "w", first);
    var two = engine.start("echo", "w", second);

    assertThat(two.runId()).isEqualTo(one.runId());
  }
}
