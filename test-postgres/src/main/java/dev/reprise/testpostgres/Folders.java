package dev.reprise.testpostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** Temporary folders. */
final class Folders {
  private Folders() {}

  static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  static Path create(Path parent, String prefix) {
    try {
      return Files.createTempDirectory(parent.toAbsolutePath(), prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void delete(Path folder) {
    if (!Files.exists(folder)) return;
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
