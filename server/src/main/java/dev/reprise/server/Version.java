package dev.reprise.server;

import java.io.IOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Which release this is, as the build wrote it down. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {"Reprise " + number() + " on Java " + Runtime.version()};
  }

  private static String number() throws IOException {
    var properties = new Properties();
    try (var in = Version.class.getResourceAsStream("version.properties")) {
      properties.load(Objects.requireNonNull(in, "version.properties"));
    }
    return properties.getProperty("version");
  }
}
