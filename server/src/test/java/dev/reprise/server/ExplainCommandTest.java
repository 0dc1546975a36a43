package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExplainCommandTest {
  @ParameterizedTest
  @EnumSource
  void each_error_is_explained(ErrorCode code) {
    var run = ConsoleRun.of("explain", code.name());

    assertThat(run.exitCode()).isZero();
    assertThat(run.lines()).startsWith(code.name(), "", code.title()).hasSizeGreaterThan(5);
    assertThat(run.out()).doesNotContain("## ", "**", "](");
  }

  @Test
  void the_command_in_a_message_is_this_one() {
    var code = ErrorCode.R113.docs().replace("./reprise explain ", "");

    assertThat(ConsoleRun.of("explain", code.toLowerCase(java.util.Locale.ROOT)).lines())
        .startsWith("R113");
  }

  @Test
  void without_a_code_all_errors_are_listed() {
    assertThat(ConsoleRun.of("explain").lines())
        .hasSize(ErrorCode.values().length)
        .contains("R113  no such workflow");
  }

  @Test
  void an_unknown_code_is_an_error_of_use() {
    var run = ConsoleRun.of("explain", "R999");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("no error 'R999'");
  }
}
