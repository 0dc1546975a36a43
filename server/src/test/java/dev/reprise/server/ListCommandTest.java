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
    assertThat(newest.lines()).last().isEqualTo("There may be more: see --limit.");
    assertThat(others.lines()).containsExactly("There are no such workflows.");
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
