package dev.reprise.engine.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

class CompactJsonTest {
  private static final JsonMapper LIBRARY = JsonMapper.shared();
  private static final List<String> PIECES =
      List.of(
          "{", "}", "[", "]", ",", ":", "\"a\"", "\"", "\\", "\\n", "\\u0001", "\\u12", "\\ud83d",
          "é", "0", "1", "-", ".", "e", "E+", "true", "false", "null", "nul", " ", "\n", "\u0001");

  private static boolean isCompact(String text) {
    return CompactJson.is(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "true",
        "false",
        "0",
        "-1",
        "10",
        "1.50",
        "-0.0",
        "1.0E10",
        "3e-7",
        "\"\"",
        "\"order-7\"",
        "\"Jörg \uD83D\uDE00\"",
        "\"a\\\"b\\\\c\\n\\u001F\"",
        "[]",
        "{}",
        "[1,[2,\"x\"],{}]",
        "{\"id\":\"order-7\",\"items\":[\"teapot\"],\"cents\":5900,\"note\":null}"
      })
  void what_a_codec_writes_is_taken_as_it_is(String json) {
    assertThat(isCompact(json)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        " 1",
        "1 ",
        "[1, 2]",
        "{ }",
        "[1,]",
        "[,1]",
        "[1",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{1:1}",
        "{\"a\":1]",
        "\"open",
        "\"\\x\"",
        "\"\\",
        "\"tab\tin it\"",
        "\"\\ud83d\"",
        "\"\\u00zz\"",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "1e+",
        "+1",
        "NaN",
        "nul",
        "nulll",
        "truefalse",
        "1,2",
        "\"a\"\"b\""
      })
  void anything_else_is_not(String text) {
    assertThat(isCompact(text)).isFalse();
  }

  @Test
  void what_is_no_text_is_not() {
    assertThat(CompactJson.is(new byte[] {'"', (byte) 0xC3, '"'})).isFalse();
    assertThat(CompactJson.is(new byte[] {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'}))
        .isFalse();
  }

  @Test
  void what_the_library_finds_too_large_is_not() {
    assertThat(isCompact("[".repeat(99) + "]".repeat(99))).isTrue();
    assertThat(isCompact("[".repeat(101) + "]".repeat(101))).isFalse();
    assertThat(isCompact("9".repeat(100))).isTrue();
    assertThat(isCompact("9".repeat(101))).isFalse();
  }

  /** An event whose attributes the library cannot read would block its run for ever. */
  @Test
  void the_library_reads_whatever_is_taken() {
    var random = new Random(11);
    int taken = 0;
    for (int i = 0; i < 300_000; i++) {
      var text = new StringBuilder();
      for (int n = random.nextInt(9); n >= 0; n--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      if (!isCompact(text.toString())) continue;
      taken++;
      assertThat(isRead("{\"x\":[" + text + "]}")).as(text.toString()).isTrue();
    }
    assertThat(taken).isGreaterThan(1_000);
  }

  private static boolean isRead(String json) {
    try {
      return LIBRARY.readTree(json).path("x").size() == 1;
    } catch (JacksonException unreadable) {
      return false;
    }
  }
}
