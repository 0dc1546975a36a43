package dev.reprise.jdbc;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What is logged, which the tests' binding prints to the standard error, while this is open. */
final class LogLines implements AutoCloseable {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  LogLines() {
    var both =
        new OutputStream() {
          @Override
          public void write(int b) {
            bytes.write(b);
            before.write(b);
          }
        };
    System.setErr(new PrintStream(both, true, StandardCharsets.UTF_8));
  }

  /** How many lines have all of these words. */
  long with(String... words) {
    return bytes
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> Arrays.stream(words).allMatch(line::contains))
        .count();
  }

  @Override
  public void close() {
    System.setErr(before);
  }
}
