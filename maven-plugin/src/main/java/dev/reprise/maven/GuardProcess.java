package dev.reprise.maven;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.maven.plugin.MojoExecutionException;

/**
 * The guard as a program in a JVM of its own.
 *
 * @param guard the class path of the guard
 * @param arguments where its arguments are written, since a class path can be too long for a
 *     command line
 */
record GuardProcess(Jdk jdk, List<String> guard, Path arguments) {
  private static final String MAIN = "dev.reprise.guard.Main";

  /** What it said, and with which code it ended. */
  record Result(int code, List<String> lines) {}

  Result check(Path classes, List<String> classPath) throws MojoExecutionException {
    try {
      write(
          List.of(
              "-Dstdout.encoding=UTF-8",
              "-Dstderr.encoding=UTF-8",
              "-cp",
              String.join(File.pathSeparator, guard),
              MAIN,
              "--class-path",
              String.join(File.pathSeparator, classPath),
              classes.toString()));
      return run(new ProcessBuilder(jdk.java().toString(), "@" + arguments));
    } catch (IOException e) {
      throw new MojoExecutionException("cannot run the determinism guard: " + e.getMessage(), e);
    }
  }

  private void write(List<String> words) throws IOException {
    Files.createDirectories(arguments.toAbsolutePath().getParent());
    Files.writeString(
        arguments,
        words.stream().map(GuardProcess::quoted).collect(Collectors.joining("\n")),
        Charset.forName(System.getProperty("native.encoding")));
  }

  private static String quoted(String word) {
    return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static Result run(ProcessBuilder command) throws IOException, MojoExecutionException {
    var process = command.redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      var lines = new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
      return new Result(process.waitFor(), lines);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MojoExecutionException("interrupted while the determinism guard was running", e);
    } finally {
      process.destroy();
    }
  }
}
