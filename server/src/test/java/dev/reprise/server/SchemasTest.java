package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.Reprise;
import dev.reprise.testpostgres.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands on PostgreSQL find the tables in whichever schema they are. */
class SchemasTest {
  private final String database = PostgresServer.shared().createDatabase();

  private static ConsoleRun run(String url, String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--db", url));
    return ConsoleRun.of(all.toArray(String[]::new));
  }

  private static void greet(String url, String id) throws Exception {
    try (var engine = Reprise.open(url).workflow(new Greeting()).start()) {
      engine.start(Greeting.class, id, "Ada").result();
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {"'',''", "&currentSchema=public,''", "&currentSchema=sales,&currentSchema=sales"})
  void commands_use_the_tables_that_are_there(String created, String asked) throws Exception {
    greet(database + created, "greet-7");
    var url = database + asked;

    assertThat(run(url, "list").out()).contains("greet-7");
    assertThat(run(url, "describe", "greet-7").out()).contains("COMPLETED");
    assertThat(run(url, "history", "greet-7").out()).contains("\"Hello, Ada\"");
    assertThat(run(url, "doctor").lines()).last().isEqualTo("nothing found");
    assertThat(run(url, "start", "Greeting", "greet-8", "\"Bob\"").exitCode()).isZero();
    assertThat(run(url, "cancel", "greet-8", "--reason", "enough").exitCode()).isZero();
    assertThat(run(url, "list").out()).contains("greet-8");
  }

  @Test
  void of_two_sets_of_tables_one_must_be_named() throws Exception {
    greet(database + "&currentSchema=reprise", "greet-7");
    greet(database + "&currentSchema=public", "greet-8");
    var url = database + "&options=-c%20search_path%3Dpublic";

    assertThat(run(url, "list").err()).contains("R152", "'reprise'", "'public'");
    assertThat(run(database + "&currentSchema=public", "list").out())
        .contains("greet-8")
        .doesNotContain("greet-7");
  }

  @Test
  void a_command_creates_no_tables() {
    var run = run(database, "signal", "greet-7", "hello");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("R116", "schema 'reprise'");
  }
}
