package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class ListCommandTest {
  @TempDir static Path folder;
  private static String database;

  @BeforeAll
  static void fill() {
    database = Databases.withTwoGreetings(folder).toString();
  }

  @Test
  void a_list_has_a_line_for_each_workflow_the_newest_first() {
    var list = ConsoleRun.of("list", "--db", database);

    assertThat(list.exitCode()).isZero();
    assertThat(list.lines()).hasSize(3);
    assertThat(list.lines().get(0)).matches("WORKFLOW ID +WORKFLOW +STATUS +STARTED +TOOK");
    assertThat(list.lines().get(1)).matches("greet-nobody +Greeting +FAILED +\\d{4}-\\d\\d.* m?s");
    assertThat(list.lines().get(2)).startsWith("greet-ada     Greeting  COMPLETED");
  }

  @Test
  void a_jdbc_url_is_as_good_as_a_file() {
    var byFile = ConsoleRun.of("list", "--db", database);
    var byUrl = ConsoleRun.of("list", "--db", "jdbc:sqlite:" + database);

    assertThat(byUrl).isEqualTo(byFile);
  }

  @Test
  void a_list_can_be_narrowed_down() {
    var failed = ConsoleRun.of("list", "--db", database, "--status", "failed");
    var newest = ConsoleRun.of("list", "--db", database, "--limit", "1");
    var others = ConsoleRun.of("list", "--db", database, "--workflow", "Farewell");

    assertThat(failed.lines()).hasSize(2).last().asString().startsWith("greet-nobody");
    assertThat(newest.lines()).element(1).asString().startsWith("greet-nobody");
    assertThat(newest.lines()).last().asString().startsWith("There are more: --after ");
    assertThat(others.lines()).containsExactly("There are no such workflows.");
  }

  @Test
  void a_list_goes_on_behind_its_cursor() {
    var first = ConsoleRun.of("list", "--db", database, "--limit", "1");
    var cursor = first.lines().getLast().replace("There are more: --after ", "");

    var second = ConsoleRun.of("list", "--db", database, "--limit", "1", "--after", cursor);

    assertThat(second.lines()).hasSize(2).last().asString().startsWith("greet-ada");
  }

  @Test
  void a_filter_finds_workflows() {
    var byInput = ConsoleRun.of("list", "--db", database, "--where", "input = 'Ada'");
    var recent = ConsoleRun.of("list", "--db", database, "--where", "startedAt > now - 1h");
    var both =
        ConsoleRun.of("list", "--db", database, "--status", "failed", "--where", "input = 'Ada'");

    assertThat(byInput.lines()).hasSize(2).last().asString().startsWith("greet-ada");
    assertThat(recent.lines()).hasSize(3);
    assertThat(both.lines()).containsExactly("There are no such workflows.");
  }

  @Test
  void a_mistake_in_a_filter_is_shown_with_a_caret() {
    var list =
        ConsoleRun.of("list", "--db", database, "--where", "status = open and colour = 'red'");

    assertThat(list.exitCode()).isEqualTo(1);
    assertThat(list.out()).isEmpty();
    assertThat(list.err())
        .startsWith("reprise: R129 the filter is not valid at character 19: there is no field")
        .contains(
            """
              status = open and colour = 'red'
                                ^
            """);
  }

  @Test
  void what_is_no_cursor_is_refused() {
    var list = ConsoleRun.of("list", "--db", database, "--after", "greet-ada");

    assertThat(list.exitCode()).isEqualTo(1);
    assertThat(list.err()).contains("R129 'greet-ada' does not stand for a page");
  }

  @Test
  void workflows_are_counted() {
    var all = ConsoleRun.of("list", "--db", database, "--count");
    var failed = ConsoleRun.of("list", "--db", database, "--count", "--where", "status = FAILED");
    var json = ConsoleRun.of("list", "--db", database, "--count", "--json");
    var byStatus = ConsoleRun.of("list", "--db", database, "--count-by", "status");
    var byColour = ConsoleRun.of("list", "--db", database, "--count-by", "colour");

    assertThat(all.lines()).containsExactly("2");
    assertThat(failed.lines()).containsExactly("1");
    assertThat(JsonMapper.shared().readTree(json.out()).path("count").asInt()).isEqualTo(2);
    assertThat(byStatus.lines()).containsExactly("STATUS     RUNS", "COMPLETED  1", "FAILED     1");
    assertThat(byColour.err()).contains("R129", "not by 'colour'");
  }

  @Test
  void a_list_for_programs_is_json() {
    var list = ConsoleRun.of("list", "--db", database, "--json");

    var runs = JsonMapper.shared().readTree(list.out());
    assertThat(runs.size()).isEqualTo(2);
    assertThat(runs.get(1).path("workflowId").asString()).isEqualTo("greet-ada");
    assertThat(runs.get(1).path("status").asString()).isEqualTo("COMPLETED");
    assertThat(runs.get(1).path("startedAt").asString()).endsWith("Z");
  }

  @Test
  void a_database_without_workflows_is_no_error() {
    var list = ConsoleRun.of("list", "--db", Databases.empty(folder).toString());

    assertThat(list.exitCode()).isZero();
    assertThat(list.lines()).containsExactly("There are no workflows yet.");
  }

  @Test
  void a_list_can_be_read_beside_a_running_engine() {
    var file = folder.resolve("busy.db");
    try (var engine = Databases.engine(file)) {
      engine.start(Greeting.class, "greet-grace", "Grace").result();

      var list = ConsoleRun.of("list", "--db", file.toString());

      assertThat(list.lines()).hasSize(2).last().asString().startsWith("greet-grace");
    }
  }

  @Test
  void without_an_option_it_is_the_database_of_the_demo() {
    System.setProperty(Reading.DEMO, database);
    try {
      var list = ConsoleRun.of("list");

      assertThat(list.lines()).hasSize(3);
      assertThat(list.err()).contains("the demo's database").contains(database);
    } finally {
      System.clearProperty(Reading.DEMO);
    }
  }
}
