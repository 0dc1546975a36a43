package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.RunDescription;
import dev.reprise.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ids and messages do to a terminal: nothing. */
class HostileOutputTest {
  private static final String ID = "greet\n[main] FORGED \u001b[31m\u202E\u0085";
  private static final String SHOWN = "greet\\n[main] FORGED \\u001B[31m\\u202E\\u0085";

  @TempDir Path folder;

  private static void assertHarmless(String text) {
    assertThat(text).doesNotContain("\u001b", "\u202E", "\u0085", "\n[main]", "\nFORGED");
  }

  @Test
  void an_id_is_shown_on_one_line_by_every_command() {
    var file = folder.resolve("greetings.db");
    try (var engine = Databases.engine(file)) {
      engine.start(Greeting.class, ID, "Ada").result();
    }
    for (var command :
        List.of(
            List.of("list"),
            List.of("describe", ID),
            List.of("history", ID),
            List.of("runs", ID))) {
      var arguments = new ArrayList<>(command);
      arguments.addAll(List.of("--db", file.toString()));

      var run = ConsoleRun.of(arguments.toArray(String[]::new));

      assertThat(run.exitCode()).as(command.getFirst()).isZero();
      assertHarmless(run.out());
    }
    assertThat(ConsoleRun.of("history", ID, "--db", file.toString()).lines().getFirst())
        .startsWith(SHOWN + ", a Greeting");
  }

  @Test
  void an_error_shows_the_id_on_one_line() {
    var file = Databases.withTwoGreetings(folder).toString();

    for (var command : List.of("describe", "history", "runs", "resume")) {
      var run = ConsoleRun.of(command, ID, "--db", file);

      assertThat(run.exitCode()).as(command).isNotZero();
      assertHarmless(run.err());
      assertThat(run.err()).startsWith("reprise: R113").contains("greet\\n[main]");
    }
  }

  @Test
  void an_id_that_cannot_be_stored_is_refused() {
    var file = Databases.withTwoGreetings(folder).toString();

    for (var command : List.of("describe", "history", "runs", "resume")) {
      var run = ConsoleRun.of(command, "a\0b", "--db", file);

      assertThat(run.exitCode()).as(command).isNotZero();
      assertThat(run.err()).as(command).startsWith("reprise: R112");
    }
  }

  @Test
  void the_reason_of_a_blocked_run_keeps_its_lines_and_nothing_else() {
    var run =
        new RunDescription(
            "order-7",
            new UUID(1, 2),
            "Checkout",
            Status.BLOCKED,
            Instant.EPOCH,
            null,
            "R101 another path\n  recorded: \u001b[31mred\u202E",
            null,
            null,
            Map.of(),
            List.of());
    var out = new StringWriter();

    new Description(run, List.of(), ZoneOffset.UTC).print(new PrintWriter(out, true), null);

    assertThat(out.toString().lines())
        .endsWith("Blocked: R101 another path", "  recorded: \\u001B[31mred\\u202E");
  }
}
