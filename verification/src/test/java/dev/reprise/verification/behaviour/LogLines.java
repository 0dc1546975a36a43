package dev.reprise.verification.behaviour;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What some loggers say while this is open, although the tests' binding is told to be silent. It
 * prints to the standard error, and has no way to change a level but its own field.
 */
final class LogLines implements AutoCloseable {
  private static final int TRACE = 0;

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Map<Logger, Integer> levels = new HashMap<>();

  LogLines(String... loggers) {
    for (var name : loggers) {
      var logger = LoggerFactory.getLogger(name);
      levels.put(logger, level(logger));
      setLevel(logger, TRACE);
    }
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
  }

  List<String> all() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /** Those that have all of these words. */
  List<String> with(String... words) {
    return all().stream().filter(line -> Arrays.stream(words).allMatch(line::contains)).toList();
  }

  private static int level(Logger logger) {
    try {
      var field = logger.getClass().getDeclaredField("currentLogLevel");
      field.setAccessible(true);
      return field.getInt(logger);
    } catch (ReflectiveOperationException changed) {
      throw new IllegalStateException("another binding than slf4j-simple", changed);
    }
  }

  private static void setLevel(Logger logger, int level) {
    try {
      var field = logger.getClass().getDeclaredField("currentLogLevel");
      field.setAccessible(true);
      field.setInt(logger, level);
    } catch (ReflectiveOperationException changed) {
      throw new IllegalStateException("another binding than slf4j-simple", changed);
    }
  }

  @Override
  public void close() {
    System.setErr(before);
    levels.forEach(LogLines::setLevel);
  }
}
