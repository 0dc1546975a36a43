package dev.reprise.engine.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.reprise.TypeRef;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** The bytes are a promise: histories hold them, and digests are made from them. */
class JsonCodecTest {
  private final JsonCodec codec = new JsonCodec();

  enum Day {
    MONDAY,
    TUESDAY {
      @Override
      public String toString() {
        return "the second day";
      }
    }
  }

  record Slot(Day day, int hour) {}

  sealed interface Shape {}

  record Circle(int radius) implements Shape {}

  record Group(List<Shape> shapes, Optional<Shape> first) implements Shape {}

  sealed interface Result<T> {}

  record Good<T>(T value) implements Result<T> {}

  record Holder(Shape shape, Object anything, ZoneId zone) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS, property = "kind")
  sealed interface Annotated {}

  record Plain(int a) implements Annotated {}

  private String json(Object value, Type type) {
    return new String(codec.encode(value, type), StandardCharsets.UTF_8);
  }

  private Object read(String json, Type type) {
    return codec.decode(json.getBytes(StandardCharsets.UTF_8), type);
  }

  private String json(Object value) {
    return new String(codec.write(value), StandardCharsets.UTF_8);
  }

  // ---- the form ---------------------------------------------------------------------------------

  @Test
  void plain_values_are_plain_json() {
    assertThat(json("a \"b\" ☃")).isEqualTo("\"a \\\"b\\\" ☃\"");
    assertThat(json(new BigDecimal("1.10"))).isEqualTo("1.10");
    assertThat(json(Instant.parse("2030-01-01T00:00:00.000000001Z")))
        .isEqualTo("\"2030-01-01T00:00:00.000000001Z\"");
    assertThat(json(Duration.ofMillis(1_500))).isEqualTo("\"PT1.5S\"");
    assertThat(json(new byte[] {1, 2})).isEqualTo("\"AQI=\"");
    assertThat(json(Optional.of("x"), new TypeRef<Optional<String>>() {}.type()))
        .isEqualTo("\"x\"");
    assertThat(json(null, String.class)).isEqualTo("null");
  }

  @Test
  void enums_are_written_by_name_whatever_they_say_of_themselves() {
    assertThat(json(Day.TUESDAY, Day.class)).isEqualTo("\"TUESDAY\"");
    assertThat(read("\"TUESDAY\"", Day.class)).isEqualTo(Day.TUESDAY);
    assertThat(json(Map.of(Day.TUESDAY, Day.TUESDAY))).isEqualTo("{\"TUESDAY\":\"TUESDAY\"}");
  }

  @Test
  void zones_stay_as_they_are() {
    var time = ZonedDateTime.of(2030, 7, 1, 12, 0, 0, 0, ZoneId.of("Europe/Berlin"));

    assertThat(json(time)).isEqualTo("\"2030-07-01T12:00:00+02:00[Europe/Berlin]\"");
    assertThat(json(ZoneId.of("Europe/Berlin"), ZoneId.class)).isEqualTo("\"Europe/Berlin\"");
  }

  @Test
  void sealed_types_carry_the_name_of_the_subtype_wherever_they_stand() {
    var circle = "{\"@type\":\"JsonCodecTest$Circle\",\"radius\":1}";

    assertThat(json(new Circle(1), Shape.class)).isEqualTo(circle);
    assertThat(json(new Circle(1), Circle.class)).isEqualTo(circle);
    assertThat(json(new Group(List.of(new Circle(1)), Optional.of(new Circle(1))), Shape.class))
        .isEqualTo(
            "{\"@type\":\"JsonCodecTest$Group\",\"shapes\":[%s],\"first\":%s}"
                .formatted(circle, circle));
    assertThat(
            json(new Good<>(List.of(new Circle(1))), new TypeRef<Result<List<Shape>>>() {}.type()))
        .isEqualTo("{\"@type\":\"JsonCodecTest$Good\",\"value\":[%s]}".formatted(circle));
  }

  @Test
  void annotations_of_the_user_come_first() {
    assertThat(json(new Plain(1), Annotated.class))
        .isEqualTo("{\"kind\":\"%s\",\"a\":1}".formatted(Plain.class.getName()));
  }

  record Order(String id, double total) {
    public boolean isLarge() {
      return total > 100;
    }

    public String getLabel() {
      return "order " + id;
    }
  }

  @Test
  void what_getters_compute_is_neither_written_nor_read() {
    assertThat(json(new Order("o", 150))).isEqualTo("{\"id\":\"o\",\"total\":150.0}");
    assertThat(read("{\"id\":\"o\",\"total\":1,\"large\":true,\"label\":\"x\"}", Order.class))
        .as("as earlier versions wrote it")
        .isEqualTo(new Order("o", 1));
  }

  /** A value object of a user: no getters, some annotations. */
  static class Money {
    private long cents;

    @JsonProperty("cur")
    private String currency = "EUR";

    @JsonIgnore private int hash = 7;
    private transient String text;

    Money(long cents) {
      this.cents = cents;
    }

    private Money() {}
  }

  @Test
  void private_fields_are_written_and_annotations_count() {
    var json = "{\"cents\":500,\"cur\":\"EUR\"}";

    assertThat(json(new Money(500))).isEqualTo(json);
    assertThat(read(json, Money.class)).usingRecursiveComparison().isEqualTo(new Money(500));
  }

  @Test
  void a_mapper_of_the_user_keeps_its_settings() {
    var builder =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.UPPER_SNAKE_CASE);

    var bytes = new JsonCodec(builder).encode(new Slot(Day.MONDAY, 8), Slot.class);

    assertThat(new String(bytes, StandardCharsets.UTF_8))
        .isEqualTo("{\"DAY\":\"MONDAY\",\"HOUR\":8}");
  }

  // ---- what people send
  // --------------------------------------------------------------------------

  record Approval(boolean granted, Order order) {}

  private Object receive(Codec by, String json) throws Exception {
    return by.receive(json.getBytes(StandardCharsets.UTF_8), Approval.class);
  }

  @Test
  void a_member_that_does_not_exist_is_refused_with_its_path() {
    assertThatThrownBy(() -> receive(codec, "{\"grantd\":true}"))
        .hasMessage("'grantd' is not a member of Approval, which has [granted, order]");
    assertThatThrownBy(() -> receive(codec, "{\"granted\":true,\"order\":{\"totl\":1}}"))
        .hasMessage("'order.totl' is not a member of Order, which has [id, total]");
    assertThatThrownBy(() -> receive(codec, "{\"granted\":true}{}")).isNotNull();
  }

  @Test
  void what_earlier_versions_wrote_by_getters_is_no_member_of_people() throws Exception {
    var order = "{\"id\":\"o\",\"total\":1.0,\"large\":false,\"label\":\"order o\"}";

    assertThat(receive(codec, "{\"granted\":true,\"order\":" + order + "}"))
        .isEqualTo(new Approval(true, new Order("o", 1)));
  }

  @Test
  void a_lenient_codec_ignores_what_does_not_exist() throws Exception {
    assertThat(receive(codec.lenient(), "{\"grantd\":true}")).isEqualTo(new Approval(false, null));
    assertThat(read("{\"grantd\":true}", Approval.class)).isEqualTo(new Approval(false, null));
  }

  @Test
  void errors_say_where_and_nothing_of_the_parser() {
    assertThatThrownBy(() -> read("{\"granted\":1,\"order\":{\"total\":\"x\"}}", Approval.class))
        .hasMessageStartingWith("'order.total' Cannot deserialize value of type `double`")
        .hasMessageNotContaining("Source");
  }

  // ---- order ------------------------------------------------------------------------------------

  @Test
  void sets_without_an_order_are_written_in_one() {
    assertThat(json(new HashSet<>(List.of("c", "a", "b")))).isEqualTo("[\"a\",\"b\",\"c\"]");
    assertThat(json(Set.of(Day.TUESDAY, Day.MONDAY))).isEqualTo("[\"MONDAY\",\"TUESDAY\"]");
    assertThat(json(EnumSet.allOf(Day.class))).isEqualTo("[\"MONDAY\",\"TUESDAY\"]");
    assertThat(json(Set.of(new Slot(Day.TUESDAY, 1), new Slot(Day.MONDAY, 2))))
        .isEqualTo("[{\"day\":\"MONDAY\",\"hour\":2},{\"day\":\"TUESDAY\",\"hour\":1}]");
  }

  @Test
  void sets_with_an_order_keep_it() {
    assertThat(json(new LinkedHashSet<>(List.of("c", "a")))).isEqualTo("[\"c\",\"a\"]");
  }

  @Test
  void maps_without_an_order_are_written_by_their_keys() {
    assertThat(json(map("c", "a", "b"))).isEqualTo("{\"a\":1,\"b\":1,\"c\":1}");
    assertThat(json(map(10, 9))).isEqualTo("{\"9\":1,\"10\":1}");
    assertThat(json(map(new Slot(Day.TUESDAY, 1), new Slot(Day.MONDAY, 1))))
        .isEqualTo(json(map(new Slot(Day.MONDAY, 1), new Slot(Day.TUESDAY, 1))));
  }

  private static Map<Object, Integer> map(Object... keys) {
    var map = new HashMap<Object, Integer>();
    for (var key : keys) map.put(key, 1);
    return map;
  }

  @Test
  void maps_with_an_order_keep_it() {
    var map = new LinkedHashMap<String, Integer>();
    map.put("z", 1);
    map.put("a", 2);
    var backwards = new TreeMap<String, Integer>(Comparator.reverseOrder());
    backwards.putAll(map);

    assertThat(json(map)).isEqualTo("{\"z\":1,\"a\":2}");
    assertThat(json(Collections.unmodifiableMap(map))).isEqualTo("{\"z\":1,\"a\":2}");
    assertThat(json(backwards)).isEqualTo("{\"z\":1,\"a\":2}");
    assertThat(json(Collections.unmodifiableSet(map.sequencedKeySet()))).isEqualTo("[\"z\",\"a\"]");
  }

  @Test
  void an_order_does_not_change_what_is_read() {
    var type = new TypeRef<Map<String, Set<Day>>>() {}.type();
    var value = Map.of("b", Set.of(Day.TUESDAY, Day.MONDAY), "a", Set.<Day>of());

    assertThat(read(json(value, type), type)).isEqualTo(value);
  }

  // ---- limits -----------------------------------------------------------------------------------

  @Test
  void numbers_may_be_as_long_as_a_payload() {
    var digits = "1" + "0".repeat(20_000);

    assertThat(read(digits, BigInteger.class)).asString().isEqualTo(digits);
  }

  @Test
  void a_value_that_holds_itself_is_an_error_and_not_the_end() {
    var endless = new ArrayList<Object>();
    endless.add(endless);

    assertThat(catchThrowable(() -> json(endless))).isNotNull();
  }

  @Test
  void unmodifiable_views_are_written_like_what_they_show() {
    var set = Collections.unmodifiableSet(new HashSet<>(List.of("b", "a")));

    assertThat(json(set)).isEqualTo("[\"a\",\"b\"]");
  }

  @Test
  void what_is_not_declared_is_written_as_it_is() {
    var holder = new Holder(new Circle(1), Set.of("b", "a"), ZoneId.of("UTC"));

    assertThat(json(holder))
        .isEqualTo(
            "{\"shape\":{\"@type\":\"JsonCodecTest$Circle\",\"radius\":1},"
                + "\"anything\":[\"a\",\"b\"],\"zone\":\"UTC\"}");
  }
}
