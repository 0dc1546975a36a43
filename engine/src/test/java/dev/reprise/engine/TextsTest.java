package dev.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Texts;
import dev.reprise.engine.machine.Machine;
import java.io.PrintWriter;
import java.io.StringWriter;
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

  private static List<String> trace(Throwable thrown) {
    var text = new StringWriter();
    Texts.shown(thrown).printStackTrace(new PrintWriter(text, true));
    return text.toString().lines().toList();
  }

  @Test
  void an_exception_is_shown_as_it_is_if_that_does_no_harm() {
    var circle = new IllegalStateException("a");
    circle.initCause(new IllegalStateException("b", circle));
    var lines = new RepriseException(ErrorCode.R101, List.of("first", "second"));

    for (var thrown : List.of(circle, lines, new AssertionError("x", lines))) {
      assertThat(Texts.shown(thrown)).isSameAs(thrown);
    }
  }

  @Test
  void messages_of_a_shown_exception_are_on_one_line_each_and_its_traces_are_the_same() {
    var cause = new IllegalStateException("b\nFORGED");
    var thrown = new AssertionError("a\nFORGED", cause);
    thrown.addSuppressed(new IllegalStateException("c\r\u001b[31mFORGED"));
    cause.addSuppressed(thrown);

    var shown = trace(thrown);

    assertThat(shown)
        .noneMatch(line -> line.startsWith("FORGED"))
        .contains(
            "java.lang.AssertionError: a\\nFORGED",
            "\tSuppressed: java.lang.IllegalStateException: c\\r\\u001B[31mFORGED",
            "Caused by: java.lang.IllegalStateException: b\\nFORGED")
        .hasSizeLessThan(10_000);
    assertThat(Texts.shown(thrown).getStackTrace()).isEqualTo(thrown.getStackTrace());
  }

  @Test
  void an_exception_that_cannot_say_what_it_is_has_its_class() {
    var mute =
        new RuntimeException("a\nb") {
          @Override
          public String getMessage() {
            throw new IllegalStateException("no message");
          }
        };

    assertThat(trace(new IllegalStateException("a\nb", mute)))
        .contains("Caused by: " + mute.getClass().getName());
  }

  @Test
  void a_thread_has_a_name_of_one_line() {
    var machine = Machine.REAL;

    assertThat(machine.fiber("w\nERROR", () -> {}).getName()).isEqualTo("w\\nERROR");
    assertThat(machine.service("q\u001b", () -> {}).getName()).isEqualTo("q\\u001B");
  }
}
