package dev.reprise.engine.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

class ScalarsTest {
  private static final List<Object> VALUES =
      List.of(0, -1, Integer.MIN_VALUE, 5L, Long.MIN_VALUE, true, false, "", "plain text ~!", "1");

  @Test
  void values_are_written_as_jackson_writes_them() {
    for (var value : VALUES) {
      assertThat(Scalars.encode(value, value.getClass())).isEqualTo(jackson(value));
    }
  }

  @Test
  void a_text_is_the_same_as_by_jackson_or_left_to_it() {
    var random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      var text = new StringBuilder();
      for (int j = random.nextInt(5); j >= 0; j--) text.append((char) random.nextInt(0x100));
      var encoded = Scalars.encode(text.toString(), String.class);
      if (encoded != null) assertThat(encoded).isEqualTo(jackson(text.toString()));
    }
  }

  @Test
  void characters_that_need_more_than_themselves_are_left_to_jackson() {
    for (var text : List.of("a\"b", "a\\b", "a\nb", "é", "\u007f", "\uD83D\uDE00")) {
      assertThat(Scalars.encode(text, String.class)).as(text).isNull();
    }
  }

  @Test
  void what_is_declared_as_something_else_or_is_none_of_these_is_left_to_jackson() {
    assertThat(Scalars.encode("a", Object.class)).isNull();
    assertThat(Scalars.encode(1, Number.class)).isNull();
    assertThat(Scalars.encode(1, long.class)).isNull();
    assertThat(Scalars.encode(1.5, double.class)).isNull();
    assertThat(Scalars.encode(null, String.class)).isNull();
    assertThat(Scalars.encode(List.of(), List.class)).isNull();
  }

  @Test
  void primitive_types_count_as_their_wrappers() {
    assertThat(text(Scalars.encode(7, int.class))).isEqualTo("7");
    assertThat(text(Scalars.encode(7L, long.class))).isEqualTo("7");
    assertThat(text(Scalars.encode(true, boolean.class))).isEqualTo("true");
  }

  /** Equal values give equal bytes, whoever changed the array that was given out before. */
  @Test
  void nobody_gets_the_array_of_another() {
    var first = Scalars.encode(true, boolean.class);
    Arrays.fill(first, (byte) 'x');

    assertThat(text(Scalars.encode(true, boolean.class))).isEqualTo("true");
  }

  @Test
  void a_mapper_of_the_user_is_asked_for_everything() throws Exception {
    var codec =
        new JsonCodec(JsonMapper.builder().enable(JsonWriteFeature.WRITE_NUMBERS_AS_STRINGS));

    assertThat(text(codec.encode(7, Integer.class))).isEqualTo("\"7\"");
    assertThat(text(new JsonCodec().encode(7, Integer.class))).isEqualTo("7");
  }

  private static byte[] jackson(Object value) {
    return JsonMapper.shared().writeValueAsBytes(value);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
