package dev.reprise.engine.archive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** Which release this is, as the build wrote it down. */
public final class EngineVersion {
  private static final String NUMBER = read();

  private EngineVersion() {}

  public static String number() {
    return NUMBER;
  }

  private static String read() {
    var properties = new Properties();
    try (var in = EngineVersion.class.getResourceAsStream("version.properties")) {
      properties.load(Objects.requireNonNull(in, "version.properties"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "unknown");
  }
}
