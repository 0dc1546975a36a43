package dev.reprise.verification.histories;

import dev.reprise.verification.architecture.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The histories of this repository. */
final class Kept {
  private Kept() {}

  static Path root() {
    return Repository.here().root().resolve("verification/histories");
  }

  static List<VersionFolder> versions() throws IOException {
    try (var folders = Files.list(root())) {
      return folders.filter(Files::isDirectory).sorted().map(VersionFolder::new).toList();
    }
  }
}
