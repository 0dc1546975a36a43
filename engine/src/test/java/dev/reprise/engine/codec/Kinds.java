package dev.reprise.engine.codec;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;

/** Random types that the codec supports, and random values of them. */
final class Kinds {
  private static final List<ZoneId> ZONES =
      List.of(
          ZoneId.of("Europe/Berlin"),
          ZoneId.of("UTC"),
          ZoneOffset.UTC,
          ZoneId.of("America/St_Johns"),
          ZoneOffset.ofHoursMinutes(5, 45),
          ZoneId.of("UTC+03:00"));

  private final Random random;

  Kinds(Random random) {
    this.random = random;
  }

  /**
   * A type and how to make values of it.
   *
   * @param isValue whether equal values are equal by their own word
   */
  record Kind(Type type, boolean isValue, boolean mayBeNull, Function<Random, Object> make) {
    Object value(Random random) {
      return mayBeNull && random.nextInt(8) == 0 ? null : make.apply(random);
    }

    Object present(Random random) {
      return make.apply(random);
    }
  }

  private record Of(Type getRawType, Type[] arguments) implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return arguments;
    }

    @Override
    public Type getOwnerType() {
      return null;
    }

    @Override
    public String toString() {
      return getRawType.getTypeName() + Arrays.toString(arguments);
    }
  }

  private static Type of(Class<?> raw, Type... arguments) {
    return new Of(raw, arguments);
  }

  // ---- classes of a user ------------------------------------------------------------------------

  enum Planet {
    EARTH,
    MARS {
      @Override
      public String toString() {
        return "the red one";
      }
    }
  }

  record Pair<A, B>(A first, B second) {}

  record Empty() {}

  sealed interface Shape {}

  record Circle(int radius) implements Shape {}

  record Nothing() implements Shape {}

  record Several(List<Shape> shapes, Optional<Shape> first) implements Shape {}

  sealed interface Outcome<T> {}

  record Good<T>(T value) implements Outcome<T> {}

  record Bad<T>(String why) implements Outcome<T> {}

  record Tree<T>(T value, List<Tree<T>> below) {}

  /** Private fields, no getters, a getter of something else, and a superclass. */
  static class Animal {
    private long born;
    private String name;

    public String getTitle() {
      return "the " + name;
    }

    public boolean isOld() {
      return born < 0;
    }
  }

  static final class Dog<T> extends Animal {
    private T toy;
    private Map<String, List<T>> toys;
    public int a;
  }

  // ---- kinds ------------------------------------------------------------------------------------

  Kind any(int depth) {
    return depth == 0 || random.nextInt(3) == 0 ? leaf() : nested(depth - 1);
  }

  private Kind value(int depth) {
    Kind kind;
    do kind = any(depth);
    while (!kind.isValue || !kind.mayBeNull);
    return kind;
  }

  private static Kind leaf(Type type, Function<Random, Object> make) {
    return new Kind(type, true, true, make);
  }

  private static Kind primitive(Class<?> type, Function<Random, Object> make) {
    return new Kind(type, true, false, make);
  }

  private Kind leaf() {
    var all = leaves();
    return all.get(random.nextInt(all.size()));
  }

  static List<Kind> leaves() {
    var all = new ArrayList<>(numbers());
    all.addAll(times());
    all.add(leaf(String.class, Kinds::text));
    all.add(leaf(Boolean.class, Random::nextBoolean));
    all.add(primitive(boolean.class, Random::nextBoolean));
    all.add(leaf(Character.class, r -> (char) r.nextInt(0x10000)));
    all.add(leaf(UUID.class, r -> new UUID(r.nextLong(), r.nextLong())));
    all.add(leaf(URI.class, r -> URI.create("https://example.org/a%20b?q=" + r.nextInt())));
    all.add(leaf(Currency.class, _ -> Currency.getInstance("EUR")));
    all.add(leaf(Locale.class, r -> r.nextBoolean() ? Locale.CANADA_FRENCH : Locale.of("de")));
    all.add(leaf(Planet.class, r -> Planet.values()[r.nextInt(2)]));
    all.add(leaf(Empty.class, _ -> new Empty()));
    all.add(leaf(Shape.class, Kinds::shape));
    all.add(leaf(Circle.class, r -> new Circle(r.nextInt())));
    all.add(new Kind(byte[].class, false, true, Kinds::bytes));
    all.add(new Kind(int[].class, false, true, r -> new int[] {r.nextInt(), 0}));
    all.add(new Kind(double[].class, false, true, r -> new double[] {r.nextGaussian()}));
    all.add(new Kind(char[].class, false, true, r -> text(r).toCharArray()));
    all.add(new Kind(String[].class, false, true, r -> new String[] {text(r), null}));
    all.add(new Kind(OptionalInt.class, true, false, r -> OptionalInt.of(r.nextInt())));
    all.add(new Kind(OptionalLong.class, true, false, _ -> OptionalLong.empty()));
    all.add(new Kind(OptionalDouble.class, true, false, r -> OptionalDouble.of(r.nextDouble())));
    all.add(new Kind(Animal.class, false, true, r -> animal(new Animal(), r)));
    return all;
  }

  private static List<Kind> numbers() {
    return List.of(
        primitive(int.class, Random::nextInt),
        primitive(long.class, Random::nextLong),
        primitive(double.class, Kinds::real),
        leaf(Integer.class, Random::nextInt),
        leaf(Long.class, Random::nextLong),
        leaf(Short.class, r -> (short) r.nextInt()),
        leaf(Byte.class, r -> (byte) r.nextInt()),
        leaf(Double.class, Kinds::real),
        leaf(Float.class, r -> Float.intBitsToFloat(r.nextInt())),
        leaf(BigInteger.class, r -> new BigInteger(1 + r.nextInt(200), r).negate()),
        leaf(BigDecimal.class, r -> new BigDecimal(new BigInteger(90, r), r.nextInt(60) - 30)));
  }

  private static List<Kind> times() {
    return List.of(
        leaf(Instant.class, Kinds::instant),
        leaf(Duration.class, r -> Duration.ofSeconds(r.nextLong() >> 8, r.nextInt(999_999_999))),
        leaf(Period.class, r -> Period.of(r.nextInt(), r.nextInt(), -r.nextInt(99))),
        leaf(LocalDate.class, r -> dateTime(r).toLocalDate()),
        leaf(LocalTime.class, r -> dateTime(r).toLocalTime()),
        leaf(LocalDateTime.class, Kinds::dateTime),
        leaf(ZonedDateTime.class, r -> ZonedDateTime.ofInstant(instant(r), zone(r))),
        leaf(OffsetDateTime.class, r -> OffsetDateTime.of(dateTime(r), offset(r))),
        leaf(OffsetTime.class, r -> OffsetTime.of(dateTime(r).toLocalTime(), offset(r))),
        leaf(ZoneId.class, Kinds::zone),
        leaf(ZoneOffset.class, Kinds::offset),
        leaf(Year.class, r -> Year.of(r.nextInt(20_000) - 5_000)),
        leaf(YearMonth.class, r -> YearMonth.of(r.nextInt(9_999), 1 + r.nextInt(12))),
        leaf(MonthDay.class, r -> MonthDay.of(1 + r.nextInt(12), 1 + r.nextInt(28))));
  }

  private Kind nested(int depth) {
    return switch (random.nextInt(26)) {
      case 0 -> list(List.class, depth);
      case 1 -> list(ArrayList.class, depth);
      case 2 -> list(Collection.class, depth);
      case 3 -> list(SequencedCollection.class, depth);
      case 4 -> set(Set.class, LinkedHashSet::new, depth);
      case 5 -> set(Set.class, HashSet::new, depth);
      case 6 -> set(HashSet.class, HashSet::new, depth);
      case 7 -> set(LinkedHashSet.class, LinkedHashSet::new, depth);
      case 8 -> set(SequencedSet.class, LinkedHashSet::new, depth);
      case 9 -> sorted(SortedSet.class);
      case 10 -> sorted(TreeSet.class);
      case 11 -> map(Map.class, LinkedHashMap::new, depth);
      case 12 -> map(Map.class, HashMap::new, depth);
      case 13 -> map(LinkedHashMap.class, LinkedHashMap::new, depth);
      case 14 -> map(HashMap.class, LinkedHashMap::new, depth);
      case 15 -> map(SequencedMap.class, LinkedHashMap::new, depth);
      case 16 -> map(TreeMap.class, TreeMap::new, depth);
      case 17 -> map(SortedMap.class, TreeMap::new, depth);
      case 18 -> planets(depth);
      case 19 -> planetMap(depth);
      case 20 -> optional(depth);
      case 21 -> pair(depth);
      case 22 -> outcome(depth);
      case 23 -> tree(depth);
      case 24 -> dog(depth);
      default -> deque(depth);
    };
  }

  private Kind list(Class<?> as, int depth) {
    var each = any(depth);
    boolean comparable = each.isValue && List.class.isAssignableFrom(as);
    return new Kind(of(as, boxed(each)), comparable, true, r -> filled(new ArrayList<>(), each, r));
  }

  private Kind deque(int depth) {
    var each = any(depth);
    return new Kind(
        of(Deque.class, boxed(each)),
        false,
        true,
        r -> {
          var deque = new ArrayDeque<Object>();
          for (int i = r.nextInt(4); i > 0; i--) deque.add(each.present(r));
          return deque;
        });
  }

  private interface New<C> {
    C make();
  }

  private Kind set(Class<?> as, New<Set<Object>> empty, int depth) {
    var each = value(depth);
    return new Kind(of(as, boxed(each)), true, true, r -> filled(empty.make(), each, r));
  }

  private Kind sorted(Class<?> as) {
    return new Kind(
        of(as, String.class),
        true,
        true,
        r -> {
          var set = new TreeSet<String>();
          for (int i = r.nextInt(5); i > 0; i--) set.add(text(r));
          return set;
        });
  }

  private static Object filled(Collection<Object> empty, Kind each, Random r) {
    for (int i = r.nextInt(5); i > 0; i--) empty.add(each.value(r));
    return empty;
  }

  private Kind map(Class<?> as, New<Map<Object, Object>> empty, int depth) {
    var keys = keys();
    var each = any(depth);
    return new Kind(
        of(as, keys.type, boxed(each)),
        each.isValue,
        true,
        r -> {
          var map = empty.make();
          for (int i = r.nextInt(5); i > 0; i--) map.put(keys.present(r), each.value(r));
          return map;
        });
  }

  /** They are texts in JSON, and all compare. */
  private Kind keys() {
    var all = new ArrayList<>(numbers());
    all.removeIf(kind -> ((Class<?>) kind.type).isPrimitive());
    all.add(leaf(String.class, Kinds::name));
    all.add(leaf(Boolean.class, Random::nextBoolean));
    all.add(leaf(UUID.class, r -> new UUID(r.nextLong(), r.nextLong())));
    all.add(leaf(URI.class, r -> URI.create("urn:x:" + r.nextInt())));
    all.add(leaf(Planet.class, r -> Planet.values()[r.nextInt(2)]));
    all.add(leaf(Instant.class, Kinds::instant));
    all.add(leaf(Duration.class, r -> Duration.ofMillis(r.nextLong())));
    all.add(leaf(LocalDate.class, r -> dateTime(r).toLocalDate()));
    all.add(leaf(LocalTime.class, r -> dateTime(r).toLocalTime()));
    all.add(leaf(LocalDateTime.class, Kinds::dateTime));
    all.add(leaf(ZonedDateTime.class, r -> ZonedDateTime.ofInstant(instant(r), zone(r))));
    all.add(leaf(OffsetDateTime.class, r -> OffsetDateTime.of(dateTime(r), offset(r))));
    all.add(leaf(Year.class, r -> Year.of(r.nextInt(9_000))));
    all.add(leaf(YearMonth.class, r -> YearMonth.of(r.nextInt(9_999), 1 + r.nextInt(12))));
    return all.get(random.nextInt(all.size()));
  }

  private Kind planets(int depth) {
    return new Kind(
        of(EnumSet.class, Planet.class),
        true,
        depth >= 0,
        r -> r.nextBoolean() ? EnumSet.allOf(Planet.class) : EnumSet.noneOf(Planet.class));
  }

  private Kind planetMap(int depth) {
    var each = any(depth);
    return new Kind(
        of(EnumMap.class, Planet.class, boxed(each)),
        each.isValue,
        true,
        r -> {
          var map = new EnumMap<Planet, Object>(Planet.class);
          for (var planet : Planet.values()) map.put(planet, each.value(r));
          return map;
        });
  }

  private Kind optional(int depth) {
    Kind each;
    do each = any(depth);
    while (!each.mayBeNull); // no Optional in an Optional
    var inner = each;
    return new Kind(
        of(Optional.class, inner.type),
        inner.isValue,
        false,
        r -> r.nextInt(3) == 0 ? Optional.empty() : Optional.of(inner.present(r)));
  }

  private Kind pair(int depth) {
    var first = any(depth);
    var second = any(depth);
    return new Kind(
        of(Pair.class, boxed(first), boxed(second)),
        first.isValue && second.isValue,
        true,
        r -> new Pair<>(first.value(r), second.value(r)));
  }

  private Kind outcome(int depth) {
    var each = any(depth);
    return new Kind(
        of(Outcome.class, boxed(each)),
        each.isValue,
        true,
        r -> r.nextInt(3) == 0 ? new Bad<>(text(r)) : new Good<>(each.value(r)));
  }

  private Kind tree(int depth) {
    var each = any(depth);
    return new Kind(
        of(Tree.class, boxed(each)),
        each.isValue,
        true,
        r ->
            new Tree<>(
                each.value(r),
                List.of(new Tree<>(each.value(r), null), new Tree<>(each.value(r), List.of()))));
  }

  private Kind dog(int depth) {
    var each = any(depth);
    return new Kind(
        of(Dog.class, boxed(each)),
        false,
        true,
        r -> {
          var dog = animal(new Dog<Object>(), r);
          dog.toy = each.value(r);
          dog.toys = new LinkedHashMap<>();
          for (int i = r.nextInt(3); i > 0; i--) dog.toys.put(name(r), new ArrayList<>());
          dog.toys.values().forEach(toys -> toys.add(each.value(r)));
          dog.a = r.nextInt();
          return dog;
        });
  }

  // ---- values -----------------------------------------------------------------------------------

  private static Type boxed(Kind kind) {
    if (kind.type == int.class) return Integer.class;
    if (kind.type == long.class) return Long.class;
    if (kind.type == double.class) return Double.class;
    return kind.type == boolean.class ? Boolean.class : kind.type;
  }

  private static <T extends Animal> T animal(T animal, Random r) {
    ((Animal) animal).born = r.nextLong();
    ((Animal) animal).name = text(r);
    return animal;
  }

  private static Shape shape(Random r) {
    return switch (r.nextInt(3)) {
      case 0 -> new Circle(r.nextInt());
      case 1 -> new Nothing();
      default -> new Several(List.of(new Nothing(), new Circle(1)), Optional.of(new Circle(2)));
    };
  }

  private static String text(Random r) {
    var text = new StringBuilder();
    for (int i = r.nextInt(6); i > 0; i--) {
      switch (r.nextInt(4)) {
        case 0 -> text.append((char) r.nextInt(0x20)); // control characters
        case 1 -> text.appendCodePoint(0x1F600 + r.nextInt(50)); // of two surrogates
        case 2 -> text.append((char) r.nextInt(0x10000)); // or half of one
        default -> text.append((char) (' ' + r.nextInt(90)));
      }
    }
    return text.toString();
  }

  /** A member's name must be whole characters. */
  private static String name(Random r) {
    return text(r).replaceAll("\\p{Cs}", "");
  }

  private static byte[] bytes(Random r) {
    var bytes = new byte[r.nextInt(5)];
    r.nextBytes(bytes);
    return bytes;
  }

  private static Object real(Random r) {
    return switch (r.nextInt(6)) {
      case 0 -> Double.NaN;
      case 1 -> Double.NEGATIVE_INFINITY;
      case 2 -> -0.0;
      default -> Double.longBitsToDouble(r.nextLong());
    };
  }

  private static Instant instant(Random r) {
    return Instant.ofEpochSecond(r.nextLong() >> 28, r.nextInt(1_000_000_000));
  }

  private static LocalDateTime dateTime(Random r) {
    return LocalDateTime.ofInstant(instant(r), ZoneOffset.UTC);
  }

  private static ZoneId zone(Random r) {
    return ZONES.get(r.nextInt(ZONES.size()));
  }

  private static ZoneOffset offset(Random r) {
    return ZoneOffset.ofTotalSeconds(r.nextInt(60_000) - 30_000);
  }
}
