package dev.reprise.verification.launcher;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.verification.architecture.Repository;
import dev.reprise.verification.behaviour.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With which cache the script {@code reprise} starts a JVM, in a clone that looks as if it was
 * built. The JDK there shows its arguments, and makes a cache if it is told to.
 */
class LauncherTest {
  private static final int LIMIT_SECONDS = 60;
  private static final FileTime BUILT =
      FileTime.from(Instant.parse("2026-01-01T00:00:00Z")); // long before any test
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      for word; do
        case $word in -XX:AOTCacheOutput=*) echo classes >"${word#*=}" ;; esac
      done
      printf '%s\\n' "$@" "COLUMNS=${COLUMNS-}"
      """;

  @TempDir Path clone;
  private Path jar;
  private Path library;
  private Path cache;

  @BeforeEach
  void build() throws IOException {
    Files.copy(Repository.here().root().resolve("reprise"), clone.resolve("reprise"));
    script(clone.resolve("jdk/bin/java"), JAVA);
    script(clone.resolve("jdk/bin/javac"), JAVA);
    write(clone.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
    write(clone.resolve("pom.xml"), "");
    for (var module : List.of("api", "engine", "store-jdbc", "server")) {
      write(clone.resolve(module).resolve("pom.xml"), "");
      Files.setLastModifiedTime(
          Files.createDirectories(clone.resolve(module).resolve("src/main")), BUILT);
    }
    Files.createDirectories(clone.resolve("server/target/classes"));
    jar = write(clone.resolve("server/target/reprise-server-1.jar"), "");
    library = write(clone.resolve("library.jar"), "");
    write(clone.resolve("server/target/classpath.txt"), library.toString());
    cache = clone.resolve("server/target/training/classes.aot");
  }

  @Test
  void the_first_command_starts_without_a_cache_and_has_one_made() throws Exception {
    assertThat(arguments()).noneMatch(word -> word.contains("AOT")).contains(jar + ":" + library);

    awaitCache();
    assertThat(arguments()).contains("-XX:AOTCache=" + cache, "-Xlog:aot*=off");
  }

  @Test
  void a_cache_that_is_older_than_a_jar_is_not_used() throws Exception {
    arguments();
    awaitCache();
    Files.setLastModifiedTime(library, FileTime.from(Instant.now().plusSeconds(3_600)));

    assertThat(arguments()).noneMatch(word -> word.startsWith("-XX:AOTCache="));
  }

  @Test
  void a_cache_is_as_old_as_the_beginning_of_its_training() throws Exception {
    arguments();
    awaitCache();

    assertThat(Files.getLastModifiedTime(cache))
        .isEqualTo(Files.getLastModifiedTime(cache.resolveSibling("begin")));
  }

  @Test
  void where_no_cache_can_be_made_commands_run_all_the_same() throws Exception {
    write(cache.getParent(), "not a folder");

    assertThat(arguments()).contains("dev.reprise.server.Main", "list");
  }

  @Test
  void of_two_jars_none_is_taken_for_the_one_that_was_built() throws Exception {
    write(clone.resolve("server/target/reprise-server-2.jar"), "");

    assertThat(arguments())
        .contains(clone.resolve("server/target/classes") + ":" + library)
        .noneMatch(word -> word.contains("AOT"));
  }

  @Test
  void options_for_the_JVM_are_words_and_no_names_of_files() throws Exception {
    write(clone.resolve("-Da=1"), "");

    assertThat(arguments("-Da=* -D?a\n -Xlog:[a-z]*=off  -Xmx1g "))
        .containsSubsequence("-Da=*", "-D?a", "-Xlog:[a-z]*=off", "-Xmx1g", "-cp")
        .doesNotContain("-Da=1", "");
  }

  @Test
  void what_does_not_go_to_a_terminal_has_no_width() throws Exception {
    assertThat(arguments()).contains("COLUMNS=");
  }

  private List<String> arguments() throws IOException, InterruptedException {
    return arguments("");
  }

  /** What a command starts the JVM with. */
  private List<String> arguments(String options) throws IOException, InterruptedException {
    var output = clone.resolve("output");
    var command = new ProcessBuilder("bash", clone.resolve("reprise").toString(), "list");
    command.environment().put("JAVA_HOME", clone.resolve("jdk").toString());
    command.environment().put("REPRISE_JAVA_OPTS", options);
    command.environment().put("COLUMNS", "50");
    command.directory(clone.toFile());
    var process = command.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    return Files.readAllLines(output);
  }

  private void awaitCache() {
    Await.until("a cache", () -> Files.exists(cache));
  }

  private static void script(Path file, String text) throws IOException {
    Files.setPosixFilePermissions(write(file, text), fromString("rwxr-xr-x"));
  }

  private static Path write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return Files.setLastModifiedTime(file, BUILT);
  }
}
