package dev.reprise.verification.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.testpostgres.PostgresServer;
import dev.reprise.verification.chaos.Processes;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Texts from outside, in log lines and names of threads: none of them is a line of its own. */
class LogTest {
  private static final List<String> ALL = List.of("-Dorg.slf4j.simpleLogger.log.dev.reprise=trace");

  /** What the scene is for: each of these is logged with a hostile text. */
  private static final List<String> SAID =
      List.of(
          "is blocked: java.lang.AssertionError",
          "could not take from queue",
          "could not report",
          "could not look for due runs",
          "could not look, the next look follows soon",
          "the store refused",
          "the database refused a transition",
          "could not begin an attempt on queue",
          "an activity on queue 'q\\nFORGED \\u001B[31m\\u202E' cannot begin",
          "an activity on queue 'q\\nFORGED \\u001B[31m\\u202E': R145",
          "an error in a thread of the engine",
          "Caused by: java.lang.IllegalStateException: cause\\nFORGED",
          "Suppressed: java.lang.IllegalStateException: suppressed\\nFORGED",
          "thread w1\\nFORGED",
          "thread reprise-worker-q\\nFORGED");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void no_text_from_outside_makes_a_line_of_its_own(Database database) {
    try (var processes = new Processes()) {
      var child = processes.start(folder.resolve("log"), ALL, LogScene.class, url(database));
      child.awaitOutput("an error in a thread of the engine");
      child.awaitOutput("END");
      var output = child.output();

      assertThat(output).contains(SAID);
      assertThat(output.lines()).noneMatch(line -> line.startsWith("FORGED"));
      assertThat(output).doesNotContain("\u001b", "\u202E", "\r");
    }
  }

  private String url(Database database) {
    return switch (database) {
      case MEMORY -> "memory";
      case SQLITE -> "jdbc:sqlite:" + folder.resolve("log.db");
      case POSTGRES -> PostgresServer.shared().createDatabase();
    };
  }
}
