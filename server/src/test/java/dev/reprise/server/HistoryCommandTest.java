package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.archive.HistoryJson;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class HistoryCommandTest {
  @TempDir static Path folder;
  private static String database;

  @BeforeAll
  static void fill() {
    database = Databases.withTwoGreetings(folder).toString();
  }

  @Test
  void a_history_has_a_line_for_each_event_with_its_source() {
    var history = ConsoleRun.of("history", "greet-ada", "--db", database);

    assertThat(history.exitCode()).isZero();
    assertThat(history.lines().getFirst())
        .matches("greet-ada, a Greeting: COMPLETED, started .*, took .*s");
    assertThat(history.lines().subList(2, history.lines().size()))
        .satisfiesExactly(
            line -> assertThat(line).matches("# +TIME +EVENT +SUBJECT +SOURCE +VALUE"),
            line -> assertThat(line).matches("1 +\\S+ +WorkflowStarted +Greeting +\"Ada\""),
            line ->
                assertThat(line)
                    .matches(
                        "2 +\\S+ +ActivityCompleted +greet:1 +Greeting.java:\\d+ +\"Hello, Ada\""),
            line -> assertThat(line).matches("3 +\\S+ +TimerScheduled +sleep:1 +\\S+ +due \\S+"),
            line -> assertThat(line).matches("4 +\\S+ +TimerFired +sleep:1"),
            line -> assertThat(line).matches("5 +\\S+ +WorkflowCompleted +\"Hello, Ada\""));
  }

  @Test
  void a_step_is_shown_with_what_it_was_called_with() {
    var file = folder.resolve("called.db");
    try (var engine = Databases.engine(file)) {
      engine.start(Greeting.class, "greet-li", "Li").result();
    }

    var history = ConsoleRun.of("history", "greet-li", "--db", file.toString());
    var json = ConsoleRun.of("history", "greet-li", "--db", file.toString(), "--json").out();
    var described = ConsoleRun.of("describe", "greet-li", "--db", file.toString()).out();

    assertThat(history.lines())
        .anyMatch(line -> line.matches("5 +.* Greeting.repeat:1 .* \"LiLi\" <- \\(\"Li\", 2\\)"));
    assertThat(described).contains("\"LiLi\" <- (\"Li\", 2)");
    assertThat(JsonMapper.shared().readTree(json).at("/events/4/attributes/arguments").toString())
        .isEqualTo("[\"Li\",2]");
  }

  @Test
  void a_failure_is_shown_with_all_of_its_message() {
    var history = ConsoleRun.of("history", "greet-nobody", "--db", database);

    assertThat(history.lines())
        .anyMatch(
            line ->
                line.contains("ActivityRetryScheduled")
                    && line.contains("IllegalStateException: no name\\nat all, next attempt due"))
        .last()
        .asString()
        .contains("WorkflowFailed", "ActivityFailed: activity")
        .endsWith("no name\\nat all");
  }

  @Test
  void a_history_for_programs_is_json_with_nothing_cut_off() {
    var history = ConsoleRun.of("history", "greet-nobody", "--db", database, "--json");

    var document = JsonMapper.shared().readTree(history.out());
    assertThat(document.path("status").asString()).isEqualTo("FAILED");
    var events = document.path("events");
    assertThat(events.get(0).path("value").asString()).isEmpty();
    assertThat(events.get(4).path("type").asString()).isEqualTo("ActivityRetryScheduled");
    assertThat(events.get(4).path("callSite").asString()).startsWith("Greeting.java:");
    assertThat(events.get(4).path("attributes").path("failure").path("message").asString())
        .isEqualTo("no name\nat all");
  }

  @Test
  void a_history_for_programs_is_one_that_can_be_replayed() {
    var json = ConsoleRun.of("history", "greet-ada", "--db", database, "--json").out();

    var history = HistoryJson.read(json);

    assertThat(history.run().workflow()).isEqualTo("Greeting");
    assertThat(history.run().workflowId()).isEqualTo("greet-ada");
    assertThat(history.events()).hasSize(5);
    assertThat(json).startsWith("{").contains("\"format\" : \"reprise-history\"");
  }

  @Test
  void an_unknown_id_is_an_error_that_says_where_to_look() {
    var history = ConsoleRun.of("history", "greet-alan", "--db", database);

    assertThat(history.exitCode()).isEqualTo(1);
    assertThat(history.out()).isEmpty();
    assertThat(history.err()).contains("R113", "'greet-alan'", "reprise list");
  }
}
