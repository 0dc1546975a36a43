package dev.reprise.verification.behaviour;

import dev.reprise.TypeRef;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.provider.Arguments;

/** Values of every kind that a step may return, with the types they are declared with. */
final class Samples {
  private Samples() {}

  record Item(String sku, int count, BigDecimal price) {}

  record Order(String id, List<Item> items, Map<String, Item> bySku, Optional<String> note) {}

  record Pair<A, B>(A first, B second) {}

  enum Size {
    SMALL,
    LARGE {
      @Override
      int factor() {
        return 2;
      }
    };

    int factor() {
      return 1;
    }
  }

  enum Spoken {
    YES,
    NO;

    @Override
    public String toString() {
      return "a word"; // the same for all: names must be written, not what people read
    }
  }

  // ---- sealed types -----------------------------------------------------------------------------

  sealed interface Payment permits Card, Transfer, Refund {}

  record Card(String number, Size size) implements Payment {}

  record Transfer(String iban) implements Payment {}

  sealed interface Refund extends Payment {}

  record Full() implements Refund {}

  record Partial(BigDecimal amount, Payment of) implements Refund {}

  sealed interface Outcome<T> {
    record Good<T>(T value) implements Outcome<T> {}

    record Bad<T>(String why) implements Outcome<T> {}
  }

  sealed interface Shape permits Circle, Fixed {}

  record Circle(double radius) implements Shape {}

  enum Fixed implements Shape {
    POINT,
    PLANE
  }

  // ---- the values -------------------------------------------------------------------------------

  static final Item APPLE = new Item("apple", 3, new BigDecimal("1.10"));
  static final Item PEAR = new Item("pear", 0, new BigDecimal("2E+3"));
  private static final ZonedDateTime BERLIN =
      ZonedDateTime.of(
          LocalDateTime.parse("2030-07-01T12:00:00.123456789"), ZoneId.of("Europe/Berlin"));

  static List<Arguments> values() {
    return List.of(
        value(new TypeRef<Item>() {}, APPLE),
        value(
            new TypeRef<Order>() {},
            new Order("o", List.of(APPLE, PEAR), Map.of("apple", APPLE), Optional.of("soon"))),
        value(new TypeRef<Order>() {}, new Order("o", List.of(), Map.of(), Optional.empty())),
        value(new TypeRef<List<Item>>() {}, List.of(APPLE, PEAR)),
        value(new TypeRef<Map<String, Item>>() {}, Map.of("a", APPLE, "p", PEAR)),
        value(
            new TypeRef<Map<Size, List<Item>>>() {},
            new EnumMap<>(Map.of(Size.LARGE, List.of(APPLE)))),
        value(
            new TypeRef<Map<Integer, Set<String>>>() {}, Map.of(1, Set.of("a", "b"), 2, Set.of())),
        value(new TypeRef<TreeMap<String, Long>>() {}, new TreeMap<>(Map.of("z", 1L, "a", 2L))),
        value(new TypeRef<LinkedHashMap<String, Long>>() {}, new LinkedHashMap<>(Map.of("z", 1L))),
        value(new TypeRef<Pair<Item, List<Size>>>() {}, new Pair<>(APPLE, List.of(Size.SMALL))),
        value(new TypeRef<Pair<Long, Optional<Instant>>>() {}, new Pair<>(5L, Optional.empty())),
        value(
            new TypeRef<List<Map<String, List<Pair<Integer, Size>>>>>() {},
            List.of(Map.of("x", List.of(new Pair<>(1, Size.LARGE))))),
        value(new TypeRef<Payment>() {}, new Card("4711", Size.LARGE)),
        value(new TypeRef<Payment>() {}, new Full()),
        value(new TypeRef<Payment>() {}, new Partial(BigDecimal.ONE, new Transfer("DE00"))),
        value(new TypeRef<Refund>() {}, new Partial(BigDecimal.TEN, new Full())),
        value(new TypeRef<Card>() {}, new Card("0815", Size.SMALL)),
        value(
            new TypeRef<List<Payment>>() {},
            List.of(new Full(), new Transfer("x"), new Card("y", Size.SMALL))),
        value(new TypeRef<Map<String, Payment>>() {}, Map.of("a", new Transfer("b"))),
        value(new TypeRef<Optional<Payment>>() {}, Optional.of(new Transfer("b"))),
        value(new TypeRef<Pair<Payment, Payment>>() {}, new Pair<>(new Full(), new Transfer("t"))),
        value(new TypeRef<Outcome<Item>>() {}, new Outcome.Good<>(APPLE)),
        value(new TypeRef<Outcome<List<Payment>>>() {}, new Outcome.Good<>(List.of(new Full()))),
        value(new TypeRef<Outcome<Item>>() {}, new Outcome.Bad<>("no")),
        value(new TypeRef<Shape>() {}, new Circle(1.5)),
        value(new TypeRef<Shape>() {}, Fixed.PLANE),
        value(new TypeRef<Size>() {}, Size.LARGE),
        value(new TypeRef<Spoken>() {}, Spoken.NO),
        value(
            new TypeRef<Map<Spoken, Spoken>>() {},
            Map.of(Spoken.NO, Spoken.YES, Spoken.YES, Spoken.NO)),
        value(new TypeRef<Optional<String>>() {}, Optional.empty()),
        value(new TypeRef<Optional<List<Item>>>() {}, Optional.of(List.of(APPLE))),
        value(new TypeRef<OptionalInt>() {}, OptionalInt.of(3)),
        value(new TypeRef<BigDecimal>() {}, new BigDecimal("100.00")),
        value(new TypeRef<BigDecimal>() {}, new BigDecimal("1E+5")),
        value(new TypeRef<BigDecimal>() {}, new BigDecimal("1.0E-400")),
        value(new TypeRef<BigInteger>() {}, BigInteger.TWO.pow(5_000)),
        value(new TypeRef<BigDecimal>() {}, new BigDecimal(BigInteger.TWO.pow(5_000), 77)),
        value(new TypeRef<List<BigInteger>>() {}, List.of(BigInteger.TEN.pow(2_000))),
        value(new TypeRef<Instant>() {}, Instant.parse("2030-01-01T00:00:00.123456789Z")),
        value(new TypeRef<Instant>() {}, Instant.MAX),
        value(new TypeRef<Duration>() {}, Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)),
        value(new TypeRef<Duration>() {}, Duration.ofNanos(1)),
        value(new TypeRef<ZonedDateTime>() {}, BERLIN),
        value(new TypeRef<List<ZonedDateTime>>() {}, List.of(BERLIN)),
        value(new TypeRef<OffsetDateTime>() {}, BERLIN.toOffsetDateTime()),
        value(new TypeRef<LocalDate>() {}, LocalDate.of(2030, 2, 28)),
        value(new TypeRef<LocalDateTime>() {}, LocalDateTime.MIN),
        value(new TypeRef<LocalTime>() {}, LocalTime.MIDNIGHT),
        value(new TypeRef<Period>() {}, Period.of(1, 2, 3)),
        value(new TypeRef<Year>() {}, Year.of(2030)),
        value(new TypeRef<YearMonth>() {}, YearMonth.of(2030, 1)),
        value(new TypeRef<ZoneId>() {}, ZoneId.of("Europe/Berlin")),
        value(new TypeRef<ZoneOffset>() {}, ZoneOffset.ofHours(2)),
        value(new TypeRef<DayOfWeek>() {}, DayOfWeek.FRIDAY),
        value(new TypeRef<TimeUnit>() {}, TimeUnit.HOURS),
        value(new TypeRef<UUID>() {}, new UUID(1, 2)),
        value(new TypeRef<byte[]>() {}, new byte[] {0, -1, 127, -128}),
        value(new TypeRef<int[]>() {}, new int[] {1, 2, 3}),
        value(new TypeRef<double[]>() {}, new double[] {0.1, Double.NaN, Double.NEGATIVE_INFINITY}),
        value(new TypeRef<String[][]>() {}, new String[][] {{"a"}, {}, {"b", null}}),
        value(new TypeRef<Item[]>() {}, new Item[] {APPLE}),
        value(new TypeRef<List<Item>[]>() {}, new List<?>[] {List.of(PEAR)}),
        value(new TypeRef<Integer>() {}, Integer.MIN_VALUE),
        value(new TypeRef<Long>() {}, Long.MAX_VALUE),
        value(new TypeRef<Double>() {}, Double.MIN_VALUE),
        value(new TypeRef<Double>() {}, -0.0),
        value(new TypeRef<Float>() {}, 0.1f),
        value(new TypeRef<Short>() {}, (short) -1),
        value(new TypeRef<Byte>() {}, (byte) -128),
        value(new TypeRef<Character>() {}, 'ß'),
        value(new TypeRef<Boolean>() {}, true),
        value(new TypeRef<String>() {}, ""),
        value(new TypeRef<String>() {}, "line\nquote\" \\ nul\0 emoji 😀 \u2028"),
        value(new TypeRef<String>() {}, "half a pair \uD800"),
        value(new TypeRef<String>() {}, null),
        value(new TypeRef<Item>() {}, null),
        value(new TypeRef<List<Item>>() {}, null));
  }

  private static Arguments value(TypeRef<?> type, Object value) {
    return Arguments.argumentSet(type + " " + text(value), type, value);
  }

  private static String text(Object value) {
    var text = String.valueOf(value).replaceAll("[^ -~]", "?");
    return text.length() > 60 ? text.substring(0, 60) : text;
  }
}
