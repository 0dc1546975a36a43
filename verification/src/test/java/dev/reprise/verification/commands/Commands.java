package dev.reprise.verification.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.server.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs commands in processes of their own.
 *
 * @param database what {@code --db} names
 * @param folder for what they print
 */
record Commands(String database, Path folder) {
  /** Far longer than anything takes, so that only what never happens fails. */
  static final Duration LIMIT = Duration.ofSeconds(60);

  /** Runs a command that must end with that code, and returns what it printed. */
  String run(int exitCode, String... arguments)
      throws IOException, InterruptedException, TimeoutException {
    var output = folder.resolve("output");
    var command = new ArrayList<>(java(Main.class));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--db", database));
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new TimeoutException(Files.readString(output));
    }
    assertThat(process.exitValue()).as(Files.readString(output)).isEqualTo(exitCode);
    return Files.readString(output);
  }

  /** The words that start a program with the JDK and the classes of this process. */
  static List<String> java(Class<?> main) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        main.getName());
  }
}
