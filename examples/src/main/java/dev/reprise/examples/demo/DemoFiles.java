package dev.reprise.examples.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The files of the demo: a database, what SQLite and the engine keep beside it, and the log of the
 * activities, by which the demo knows its own database again.
 */
record DemoFiles(Path database) {
  // Not the lock: whoever holds it would not be seen any more.
  private static final List<String> ENDINGS = List.of("", "-wal", "-shm");

  DemoFiles {
    database = database.toAbsolutePath().normalize();
  }

  ActivityLog log() {
    return new ActivityLog(beside(".activities"));
  }

  /** Makes room for a new database; false if the file there is somebody else's. */
  boolean startOver() throws IOException {
    if (Files.exists(database) && !log().exists()) return false;
    Files.createDirectories(database.getParent());
    for (var ending : ENDINGS) Files.deleteIfExists(beside(ending));
    log().clear();
    return true;
  }

  private Path beside(String ending) {
    return database.resolveSibling(database.getFileName() + ending);
  }

  /** As short as it can be from where the user is. */
  Path shortName() {
    var here = Path.of("").toAbsolutePath();
    return database.startsWith(here) ? here.relativize(database) : database;
  }
}
