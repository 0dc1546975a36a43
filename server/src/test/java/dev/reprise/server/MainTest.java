package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
  @TempDir Path folder;

  @Test
  void help_names_all_commands_also_those_of_the_launcher() {
    var help = ConsoleRun.of("help");

    assertThat(help.exitCode()).isZero();
    assertThat(help.out())
        .contains("list", "describe", "history", "runs", "published", "nodes", "doctor")
        .contains("signal", "update", "cancel", "terminate", "resume", "fork")
        .contains("demo", "bench", "format");
  }

  @Test
  void the_version_is_that_of_the_build() {
    assertThat(ConsoleRun.of("--version").out())
        .matches("Reprise \\d+\\.\\d+\\.\\S+ on Java .*\\R");
  }

  @Test
  void a_missing_file_is_an_error_in_one_paragraph_and_is_not_created() {
    var file = folder.resolve("missing.db");

    var list = ConsoleRun.of("list", "--db", file.toString());

    assertThat(list.exitCode()).isEqualTo(1);
    assertThat(list.err()).startsWith("reprise: R115").contains("missing.db");
    assertThat(list.err()).doesNotContain("\tat ");
    assertThat(file).doesNotExist();
  }

  @Test
  void a_file_of_something_else_is_an_error_and_is_left_alone() throws IOException {
    var file = Files.writeString(folder.resolve("notes.txt"), "buy milk\n".repeat(100));

    var list = ConsoleRun.of("list", "--db", file.toString());

    assertThat(list.exitCode()).isEqualTo(1);
    assertThat(list.err()).startsWith("reprise: R115");
    assertThat(file).hasContent("buy milk\n".repeat(100));
  }

  @Test
  void a_stack_trace_is_shown_to_those_who_ask_for_it() {
    var file = folder.resolve("missing.db").toString();

    var list = ConsoleRun.of("list", "--db", file, "--verbose");

    assertThat(list.err()).contains("RepriseException").contains("\tat ");
  }

  @Test
  void a_wrong_status_is_answered_with_the_right_ones() {
    var list = ConsoleRun.of("list", "--db", "any.db", "--status", "asleep");

    assertThat(list.exitCode()).isEqualTo(2);
    assertThat(list.err()).contains("RUNNING", "COMPLETED", "'asleep'", "reprise list --help");
  }

  @Test
  void a_limit_out_of_range_is_an_error_of_use() {
    var list = ConsoleRun.of("list", "--db", "any.db", "--limit", "0");

    assertThat(list.exitCode()).isEqualTo(2);
    assertThat(list.err()).contains("--limit", "1..1000");
  }

  @Test
  void without_any_database_it_asks_for_one() {
    System.setProperty(Reading.DEMO, folder.resolve("missing.db").toString());
    try {
      var list = ConsoleRun.of("list");

      assertThat(list.exitCode()).isEqualTo(2);
      assertThat(list.err()).contains("--db");
    } finally {
      System.clearProperty(Reading.DEMO);
    }
  }
}
