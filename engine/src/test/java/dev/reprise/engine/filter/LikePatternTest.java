package dev.reprise.engine.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LikePatternTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {
        "order-%, order-7, true",
        "order-%, order-, true",
        "order-%, Order-7, false",
        "%-7, order-7, true",
        "%-7, order-77, false",
        "%a%b%, xxaxxbxx, true",
        "%a%b%, xxbxxaxx, false",
        "a%b%c, abcbc, true",
        "_, a, true",
        "_, '', false",
        "_, ab, false",
        "_, 😀, true",
        "'', '', true",
        "'', a, false",
        "%, '', true",
        "100\\%, 100%, true",
        "100\\%, 1000, false",
        "a\\_b, a_b, true",
        "a\\_b, axb, false",
        "a\\\\b, a\\b, true",
        "a*b, a*b, true",
        "a*b, axxb, false",
      })
  void a_text_has_the_form_or_not(String pattern, String text, boolean matches) {
    assertThat(new LikePattern(pattern).matches(text)).isEqualTo(matches);
  }

  @Test
  void sqlite_gets_the_same_form_in_its_own_language() {
    assertThat(new LikePattern("a%_\\%*?[]").glob()).isEqualTo("a*?%[*][?][[]]");
  }

  @Test
  void many_wildcards_are_not_slow() {
    var pattern = new LikePattern("%a".repeat(200) + "b");

    assertThat(pattern.matches("a".repeat(5_000))).isFalse();
  }
}
