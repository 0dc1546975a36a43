package dev.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Texts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where messages say that the documentation has more. */
class ErrorCodeTest {
  @AfterEach
  void reset() {
    System.clearProperty(ErrorCode.DOCS);
  }

  @Test
  void a_message_names_the_command_that_explains_it() {
    assertThat(new RepriseException(ErrorCode.R113, "there is no such run"))
        .hasMessage("R113 there is no such run (see ./reprise explain R113)");
  }

  @Test
  void a_team_may_have_the_page_of_errors_elsewhere() {
    System.setProperty(ErrorCode.DOCS, "https://wiki.example.org/reprise/errors.html");

    assertThat(new RepriseException(ErrorCode.R113, "there is no such run"))
        .hasMessage(
            "R113 there is no such run (see https://wiki.example.org/reprise/errors.html#r113)");
  }

  @ParameterizedTest
  @CsvSource({
    "R113 gone (see ./reprise explain R113),R113 gone",
    "R113 gone (see docs/reference/errors.md#r113),R113 gone",
    "R113 gone (see https://wiki.example.org/errors#r113),R113 gone",
    "R113 gone (see below) again,R113 gone (see below) again",
  })
  void the_place_is_left_out_where_messages_are_compared(String message, String plain) {
    assertThat(ErrorCode.withoutDocs(message)).isEqualTo(plain);
  }

  @ParameterizedTest
  @CsvSource({"Checkout,a Checkout", "OrderProcess,an OrderProcess", "echo,an echo"})
  void names_have_their_article(String name, String text) {
    assertThat(Texts.withArticle(name)).isEqualTo(text);
  }
}
