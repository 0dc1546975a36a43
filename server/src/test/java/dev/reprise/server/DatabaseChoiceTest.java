package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which database a command opens, and that nothing of its URL is shown that may be a password. */
class DatabaseChoiceTest {
  private static final int LIMIT_SECONDS = 60;

  @TempDir private Path folder;
  private String database;

  @BeforeEach
  void create() {
    database = Databases.withTwoGreetings(folder).toString();
  }

  /** A command with these variables, in a process of its own. */
  private String list(Map<String, String> variables) throws Exception {
    var command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "list");
    command.environment().putAll(variables);
    var output = folder.resolve("output");
    var process = command.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    return Files.readString(output);
  }

  @Test
  void the_variable_names_it() throws Exception {
    assertThat(list(Map.of("REPRISE_DB", database))).contains("greet-ada");
    assertThat(list(Map.of("REPRISE_DB", "jdbc:sqlite:" + database))).contains("greet-ada");
  }

  @Test
  void the_file_of_a_variable_names_it() throws Exception {
    var file = Files.writeString(folder.resolve("secret"), "jdbc:sqlite:" + database + "\n");

    assertThat(list(Map.of("REPRISE_DB_FILE", file.toString()))).contains("greet-ada");
  }

  @Test
  void a_file_names_it() throws Exception {
    var file = Files.writeString(folder.resolve("secret"), database + "\n\n").toString();

    assertThat(ConsoleRun.of("list", "--db-file", file).out()).contains("greet-ada");
    assertThat(ConsoleRun.of("list", "--db-file", file, "--db", database).exitCode()).isEqualTo(2);
  }

  @Test
  void a_file_that_names_nothing_is_a_mistake() throws Exception {
    var empty = Files.writeString(folder.resolve("empty"), "\n").toString();

    assertThat(ConsoleRun.of("list", "--db-file", empty).err()).contains("names no database");
    assertThat(ConsoleRun.of("list", "--db-file", empty + "x").err()).contains("cannot be read");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgres://me:SECRET@host/db",
        "postgresql://me:SECRET@host/db",
        "jdbc:postgresql://me:SECRET@host/db",
        "jdbc:postgresql://127.0.0.1:1/db&password=SECRET",
        "jdbc:postgresql://127.0.0.1:1/db?user=me&password=SECRET",
        "jdbc:mysql://host/db?user=me&password=SECRET",
        "jdbc:sqlite:orders.db?key=SECRET",
      })
  void a_password_is_never_printed(String url) {
    for (var command : new String[] {"list", "doctor", "nodes"}) {
      var run = ConsoleRun.of(command, "--db", url, "--verbose");

      assertThat(run.exitCode()).isNotZero();
      assertThat(run.err() + run.out()).isNotBlank().doesNotContain("SECRET");
    }
  }
}
