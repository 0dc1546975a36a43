package dev.reprise.jdbc;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A second process with the class path of this one. */
final class ChildProcess {
  private ChildProcess() {}

  static Process start(Class<?> main, String... arguments) throws IOException {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName());
    return new ProcessBuilder(Stream.concat(command.stream(), Stream.of(arguments)).toList())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
