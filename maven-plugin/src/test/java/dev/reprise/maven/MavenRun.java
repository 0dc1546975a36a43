package dev.reprise.maven;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a real Maven said to the goal, and with which code it ended. */
record MavenRun(int code, String output) {

  static MavenRun of(Path project, Path repository, List<String> options)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(program());
    command.addAll(List.of("-B", "-o", "-Dmaven.repo.local=" + repository));
    command.addAll(options);
    command.add("dev.reprise:reprise-maven-plugin:%s:check".formatted(LocalRepository.VERSION));
    var builder = new ProcessBuilder(command).directory(project.toFile()).redirectErrorStream(true);
    // This Java, because nothing selects another, and an output with all letters.
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("MAVEN_OPTS", "-Dstdout.encoding=UTF-8");
    builder.environment().remove("MAVEN_ARGS");
    var process = builder.start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new MavenRun(process.waitFor(), output);
  }

  /** The Maven that runs this test; without one, for example in an editor, that of the path. */
  private static String program() {
    var home = System.getProperty("maven.home");
    var program = home == null ? null : Path.of(home, "bin", "mvn");
    return program != null && Files.exists(program) ? program.toString() : "mvn";
  }
}
