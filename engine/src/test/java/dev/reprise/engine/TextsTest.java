package dev.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Texts;
import dev.reprise.engine.machine.Machine;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The one rule for ids and names, and how texts are shown. */
class TextsTest {

  @Test
  void an_error_says_what_is_wrong_and_where() {
    refused(null, "the thing is null");
    refused(" \t", "the thing is blank");
    refused("x".repeat(256), "the thing has 256 characters, the limit is 255");
    refused("ab\0", "the thing has a NUL (U+0000) as character 3");
    refused("a\ud83d", "the thing has half of a surrogate pair (U+D83D) as character 2");
    refused("\ude00\ud83d", "the thing has half of a surrogate pair (U+DE00) as character 1");
    assertThat(Texts.checked("x".repeat(255), "thing")).hasSize(255);
    assertThat(Texts.checked("\ud83d\ude00\n", "thing")).isEqualTo("😀\n");
  }

  private static void refused(@Nullable String text, String why) {
    assertThatThrownBy(() -> Texts.checked(text, "thing"))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R112))
        .hasMessageStartingWith("R112 " + why);
  }

  @Test
  void what_can_be_stored_is_stored_as_it_is() {
    assertThat(Texts.storable("a\nb 😀 \u202E")).isEqualTo("a\nb 😀 \u202E");
    assertThat(Texts.storable("a\0b\ud83d\nc")).isEqualTo("a\\u0000b\\uD83D\nc");
  }

  @Test
  void a_text_is_shown_on_one_line_without_what_moves_the_cursor() {
    assertThat(Texts.shown("שלום 👩‍👩‍👧 'x' \\n")).isEqualTo("שלום 👩‍👩‍👧 'x' \\n");
    assertThat(Texts.shown("a\r\n\tb\u001b[0m\u007f\u009b\u2028\u202e\u2066\0\ude00"))
        .isEqualTo("a\\r\\n\\tb\\u001B[0m\\u007F\\u009B\\u2028\\u202E\\u2066\\u0000\\uDE00");
  }

  @Test
  void an_error_has_the_lines_that_it_was_given_and_no_others() {
    var one = new RepriseException(ErrorCode.R113, "no 'a\nb'");
    var two = new RepriseException(ErrorCode.R101, List.of("first 'a\nb'", "  second"));

    assertThat(one.getMessage()).startsWith("R113 no 'a\\nb' (see ");
    assertThat(two.getMessage()).startsWith("R101 first 'a\\nb'\n  second (see ");
  }

  @Test
  void a_thread_has_a_name_of_one_line() {
    var machine = Machine.REAL;

    assertThat(machine.fiber("w\nERROR", () -> {}).getName()).isEqualTo("w\\nERROR");
    assertThat(machine.service("q\u001b", () -> {}).getName()).isEqualTo("q\\u001B");
  }
}
