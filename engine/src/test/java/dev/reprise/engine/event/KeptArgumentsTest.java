package dev.reprise.engine.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KeptArgumentsTest {
  private static final int SHOWN = 20;

  private static KeptArguments kept(int limit, String... parts) {
    var encoded = Stream.of(parts).map(part -> part.getBytes(StandardCharsets.UTF_8));
    return Objects.requireNonNull(KeptArguments.of(encoded.toArray(byte[][]::new), limit));
  }

  private static KeptArguments kept(String... parts) {
    return kept(KeptArguments.LIMIT, parts);
  }

  private static String json(KeptArguments arguments) {
    return new String(arguments.json(), StandardCharsets.UTF_8);
  }

  /** As an event that is read has them. */
  private static KeptArguments again(KeptArguments arguments) {
    return KeptArguments.recorded(arguments.json());
  }

  @Test
  void json_stands_as_it_is() {
    var arguments = kept("\"order-7\"", "{\"cents\":5900}", "1.0E10", "null");

    assertThat(json(arguments)).isEqualTo("[\"order-7\",{\"cents\":5900},1.0E10,null]");
    assertThat(again(arguments).texts())
        .containsExactly("\"order-7\"", "{\"cents\":5900}", "1.0E+10", "null");
  }

  @Test
  void what_is_no_json_is_marked() {
    var arguments =
        Objects.requireNonNull(
            KeptArguments.of(
                new byte[][] {
                  "<order/>".getBytes(StandardCharsets.UTF_8), {(byte) 0xff}, {'1'},
                },
                100));

    assertThat(json(arguments))
        .isEqualTo(
            """
            [{"@kept":"text","value":"<order/>"},{"@kept":"base64","value":"/w=="},1]\
            """);
    assertThat(arguments.texts()).containsExactly("<order/>", "base64 /w==", "1");
  }

  @Test
  void an_argument_that_looks_like_a_mark_is_not_taken_for_one() {
    var tricky = "{\"@kept\":\"not\",\"bytes\":1,\"digest\":\"0\"}";

    assertThat(again(kept(tricky)).texts()).containsExactly(tricky);
  }

  @Test
  void those_that_are_too_long_are_left_out_with_their_size_and_digest() {
    var arguments = kept(10, "\"short\"", "\"much too long\"", "17");

    assertThat(json(arguments))
        .startsWith("[\"short\",{\"@kept\":\"not\",\"bytes\":15,\"digest\":\"");
    assertThat(arguments.texts())
        .containsExactly("\"short\"", "(15 bytes, too long to be kept)", "17");
  }

  @Test
  void the_limit_is_for_all_of_a_call() {
    assertThat(kept(6, "\"a\"", "\"b\"").texts()).containsExactly("\"a\"", "\"b\"");
    assertThat(kept(5, "\"a\"", "\"b\"").texts())
        .containsExactly("\"a\"", "(3 bytes, too long to be kept)");
  }

  @Test
  void nothing_is_kept_without_arguments_or_a_limit() {
    assertThat(KeptArguments.of(new byte[][] {}, 100)).isNull();
    assertThat(KeptArguments.of(new byte[][] {{'1'}}, 0)).isNull();
  }

  @Test
  void the_one_that_differs_is_named_with_both_values() {
    var before = again(kept("\"order-7\"", "5900"));

    assertThat(before.differencesTo(kept("\"order-7\"", "6100"), SHOWN))
        .containsExactly("argument 2: 5900, now 6100");
    assertThat(before.differencesTo(kept("\"order-8\"", "6100"), SHOWN))
        .containsExactly("argument 1: \"order-7\", now \"order-8\"", "argument 2: 5900, now 6100");
    assertThat(before.differencesTo(kept("\"order-7\""), SHOWN))
        .containsExactly("argument 2: 5900, now none");
    assertThat(before.differencesTo(kept("\"order-7\"", "5900"), SHOWN)).isEmpty();
  }

  @Test
  void long_values_are_shortened() {
    var before = again(kept("\"" + "x".repeat(30) + "\""));

    assertThat(before.differencesTo(kept("1"), SHOWN))
        .containsExactly("argument 1: \"" + "x".repeat(19) + "…, now 1");
  }

  @Test
  void one_that_was_too_long_is_compared_by_its_digest() {
    var before = again(kept(5, "1", "\"" + "a".repeat(30) + "\""));

    assertThat(before.differencesTo(kept(5, "2", "\"" + "a".repeat(30) + "\""), SHOWN))
        .containsExactly("argument 1: 1, now 2");
    assertThat(before.differencesTo(kept(5, "1", "\"" + "b".repeat(30) + "\""), 40))
        .containsExactly(
            "argument 2: (32 bytes, too long to be kept), now (32 bytes, too long to be kept)");
  }

  @Test
  void another_limit_makes_no_difference() {
    for (var text : List.of("\"" + "a".repeat(30) + "\"", "<" + "a".repeat(30) + ">")) {
      var before = again(kept(5, "1", text));

      assertThat(before.differencesTo(kept(100, "2", text), SHOWN))
          .containsExactly("argument 1: 1, now 2");
      assertThat(again(kept(100, "1", text)).differencesTo(kept(5, "2", text), SHOWN))
          .containsExactly("argument 1: 1, now 2");
    }
  }

  @Test
  void numbers_that_a_file_writes_another_way_are_the_same() {
    var before = KeptArguments.recorded("[1.0E+10,1]".getBytes(StandardCharsets.UTF_8));

    assertThat(before.differencesTo(kept("1.0E10", "2"), SHOWN))
        .containsExactly("argument 2: 1, now 2");
  }

  @Test
  void packed_ones_are_taken_apart() {
    var packed = Payload.of("\"o-1\"2".getBytes(StandardCharsets.UTF_8));

    assertThat(KeptArguments.unpacked(packed, List.of(5, 1)).texts())
        .containsExactly("\"o-1\"", "2");
  }

  @Test
  void what_was_changed_by_hand_is_shown_as_nothing() {
    assertThat(KeptArguments.recorded(new byte[] {'[', '1', ',', '"'}).texts()).isEmpty();
  }
}
