package dev.reprise.verification.bench;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process of its own, with the JDK of this one. */
final class JavaProcess {
  private JavaProcess() {}

  /** With the classes of this one, too. */
  static ProcessBuilder of(String heap, Class<?> main, String... arguments) {
    return of(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx" + heap,
            "-XX:+ExitOnOutOfMemoryError"), // else it would stand still for ever
        System.getProperty("java.class.path"),
        main,
        List.of(arguments));
  }

  static ProcessBuilder of(
      List<String> options, String classPath, Class<?> main, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectError(Redirect.INHERIT);
  }
}
