package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How tables keep to the width of the terminal. */
class TableTest {
  private static final String LONG = "a value of words " + "and words ".repeat(20) + "to the end";

  private static List<String> printed(int width, boolean isWhole) {
    var table = new Table(width, "EVENT", "VALUE");
    if (isWhole) table.addWhole("ActivityFailed", LONG);
    else table.add("ActivityFailed", LONG);
    var out = new StringWriter();
    table.print(new PrintWriter(out, true));
    return out.toString().lines().toList();
  }

  @ParameterizedTest
  @CsvSource({"60", "80", "180"})
  void a_value_is_cut_off_where_the_terminal_ends(int width) {
    var lines = printed(width, false);

    assertThat(lines).hasSize(2).allMatch(line -> line.length() <= width);
    assertThat(lines.getLast()).endsWith("...").hasSize(width);
  }

  @Test
  void what_does_not_go_to_a_terminal_is_not_cut_off() {
    assertThat(printed(Screen.ENDLESS, false))
        .containsExactly("EVENT           VALUE", "ActivityFailed  " + LONG);
  }

  @ParameterizedTest
  @CsvSource({"60", "80", "180"})
  void why_something_failed_is_never_cut_off(int width) {
    var lines = printed(width, true);

    assertThat(lines.get(1)).isEqualTo("ActivityFailed");
    assertThat(lines).allMatch(line -> line.length() <= width);
    var words =
        String.join(" ", lines.subList(2, lines.size()).stream().map(String::strip).toList());
    assertThat(words).isEqualTo(LONG);
    assertThat(printed(1_000, true)).contains("ActivityFailed  " + LONG);
  }

  @ParameterizedTest
  @CsvSource({"180,180", "3,40", "0,2147483647", "wide,2147483647", ",2147483647"})
  void the_variable_says_how_wide_the_terminal_is(String columns, int width) {
    assertThat(Screen.width(columns)).isEqualTo(width);
  }
}
