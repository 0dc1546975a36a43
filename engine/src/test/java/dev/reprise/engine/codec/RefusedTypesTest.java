package dev.reprise.engine.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.reprise.TypeRef;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Types of which no value comes back are refused when they are declared, with the path. */
class RefusedTypesTest {
  private final JsonCodec codec = new JsonCodec();

  record Holder<T>(String name, T held) {}

  record Deep(Map<String, List<Holder<Thread>>> all) {}

  interface Open {}

  static final class NoDefault {
    private final int x;

    NoDefault(int x) {
      this.x = x;
    }
  }

  static final class Created {
    private final int x;

    @JsonCreator
    Created(@JsonProperty("x") int x) {
      this.x = x;
    }
  }

  static final class Final {
    private final List<String> names = new ArrayList<>();
    int size;
  }

  static final class Opaque {
    transient Thread thread;
  }

  class Inner {
    int x;
  }

  static class Parent {
    private int same;
  }

  static final class Heir extends Parent {
    private int same;
  }

  static final class Basket extends ArrayList<String> {
    private static final long serialVersionUID = 1L;
    private int size;
  }

  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  record Id(@JsonValue String text) {}

  record Key(String text) {}

  private void assertRefused(Type type, String... texts) {
    assertThatThrownBy(() -> codec.check(type)).as("%s", type).hasMessageContainingAll(texts);
  }

  private static Type held(TypeRef<?> type) {
    return type.type();
  }

  @Test
  void what_is_of_the_platform_and_no_value() {
    assertRefused(Thread.class, "java.lang.Thread");
    assertRefused(Deep.class, "'all[][].held'", "java.lang.Thread");
    assertRefused(held(new TypeRef<Holder<InputStream>>() {}), "'held'", "InputStream");
    assertRefused(held(new TypeRef<Holder<Stream<String>>>() {}), "'held'", "used up");
    assertRefused(held(new TypeRef<Holder<ReentrantLock>>() {}), "'held'", "ReentrantLock");
    assertRefused(held(new TypeRef<Holder<ClassLoader>>() {}), "'held'", "ClassLoader");
    assertRefused(held(new TypeRef<Holder<AtomicLong>>() {}), "'held'", "never equal");
    assertRefused(held(new TypeRef<Holder<Pattern>>() {}), "'held'", "never equal");
    assertRefused(held(new TypeRef<PriorityQueue<String>>() {}), "PriorityQueue", "List");
    assertRefused(Failure.class, "exception");
  }

  @Test
  void classes_that_cannot_be_made_again() {
    assertRefused(NoDefault.class, "NoDefault", "a record", "@JsonCreator");
    assertRefused(Inner.class, "make the class static");
    assertRefused(Final.class, "'names'", "final");
    assertRefused(Opaque.class, "Opaque", "no members");
    assertRefused(Heir.class, "'same'", "twice");
    assertRefused(Basket.class, "'size'", "only the elements");
    assertThatCode(() -> codec.check(Created.class)).doesNotThrowAnyException();
    assertThatCode(() -> codec.check(Id.class)).doesNotThrowAnyException();
  }

  @Test
  void classes_of_which_nobody_knows_which_it_is() {
    assertRefused(Open.class, "Open", "sealed");
    assertRefused(held(new TypeRef<List<Open>>() {}), "'[]'", "Open");
    assertRefused(held(new TypeRef<Optional<Optional<String>>>() {}), "Optional");
  }

  @Test
  void keys_that_are_no_texts() {
    assertRefused(held(new TypeRef<Map<Holder<String>, String>>() {}), "'[key]'", "Holder");
  }

  /** As the state of a loop is, whose type is the class of its first value. */
  @Test
  void collections_of_the_platform_that_have_no_public_class_are_lists_sets_and_maps() {
    for (Object value : List.of(List.of("a"), Set.of("a"), Map.of("a", "b"), Arrays.asList("a"))) {
      var type = value.getClass();
      assertThat(codec.decode(codec.encode(value, type), type)).isEqualTo(value);
    }
  }

  // ---- values -----------------------------------------------------------------------------------

  private void assertRefused(Object value, TypeRef<?> type, String... texts) {
    assertThatCode(() -> codec.check(type.type())).doesNotThrowAnyException();
    assertThatThrownBy(() -> codec.encode(value, type.type()))
        .as("%s", type)
        .hasMessageContainingAll(texts);
  }

  static class Animal {
    int born;
  }

  static class Dog extends Animal {
    int tail;
  }

  record Zoo(List<Animal> animals) {}

  @Test
  void a_value_that_would_come_back_as_another_one_is_refused_with_its_path() {
    assertRefused(List.of(1, 5L), new TypeRef<List<Number>>() {}, "'[1]'", "Long", "Number");
    assertRefused(Map.of("a", 1.5), new TypeRef<Map<String, Object>>() {}, "'[a]'", "Double");
    assertRefused(
        new Holder<Object>("h", new Key("k")), new TypeRef<Holder<Object>>() {}, "'held'", "Key");
    assertRefused(
        new Zoo(List.of(new Animal(), new Dog())),
        new TypeRef<Zoo>() {},
        "'animals[1]'",
        "Dog",
        "Animal");
    assertRefused(Set.of("a"), new TypeRef<Collection<String>>() {}, "Set");
    assertRefused(
        new PriorityQueue<>(List.of("a")), new TypeRef<Queue<String>>() {}, "PriorityQueue");
    assertRefused(
        new Holder<>("h", null),
        new TypeRef<Holder<Optional<String>>>() {},
        "'held'",
        "Optional.empty()");
    assertRefused(
        Map.of(new Key("a"), 1), new TypeRef<Map<Key, Integer>>() {}, "[key Key[text=a]]");
  }

  @Test
  void an_order_that_a_comparator_makes_is_refused_or_kept() {
    var backwards = new TreeMap<String, Integer>(Comparator.reverseOrder());
    backwards.putAll(Map.of("a", 1, "b", 2));

    assertRefused(backwards, new TypeRef<SortedMap<String, Integer>>() {}, "comparator");
    assertRefused(
        new TreeSet<>(String.CASE_INSENSITIVE_ORDER),
        new TypeRef<SortedSet<String>>() {},
        "comparator");
    var type = new TypeRef<Map<String, Integer>>() {}.type();
    assertThat(codec.decode(codec.encode(backwards, type), type).toString())
        .isEqualTo("{b=2, a=1}");
  }

  @Test
  void what_json_itself_knows_may_be_declared_as_anything() {
    var value = Map.of("a", List.of("x", 1, true, 1L << 40, new BigDecimal("1.5")));
    var type = new TypeRef<Map<String, Object>>() {}.type();

    assertThat(codec.decode(codec.encode(value, type), type)).isEqualTo(value);
  }

  @Test
  void arguments_that_nobody_reads_again_must_only_be_written() {
    assertThat(new String(codec.write(new NoDefault(3)), StandardCharsets.UTF_8))
        .isEqualTo("{\"x\":3}");
    assertThatThrownBy(() -> codec.write(Thread.currentThread())).hasMessageContaining("Thread");
    assertThatThrownBy(() -> codec.write(new Holder<>("h", List.of(new ReentrantLock()))))
        .hasMessageContainingAll("'held[0]'", "ReentrantLock");
    assertThatThrownBy(() -> codec.write(new Opaque())).hasMessageContaining("no members");
    assertThatThrownBy(() -> codec.write(Stream.of(1))).hasMessageContaining("used up");
  }

  @Test
  void a_class_that_cannot_be_made_again_says_so_when_it_is_read() {
    var json = "{\"x\":3}".getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> codec.decode(json, NoDefault.class))
        .hasMessageContainingAll("NoDefault", "@JsonCreator")
        .hasMessageNotContaining("Source");
  }

  @Test
  void queues_at_both_ends_are_supported_and_lose_nothing() {
    var type = new TypeRef<Deque<String>>() {}.type();

    assertThat(codec.decode(codec.encode(new ArrayDeque<>(List.of("b", "a")), type), type))
        .asInstanceOf(InstanceOfAssertFactories.ITERABLE)
        .containsExactly("b", "a");
  }
}
