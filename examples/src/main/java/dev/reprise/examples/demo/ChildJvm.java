package dev.reprise.examples.demo;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another process with the Java, the options, the class path and the screen of this one. */
final class ChildJvm {
  private ChildJvm() {}

  /** Runs a main class to its end and returns the exit code. */
  static int run(String main, String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
