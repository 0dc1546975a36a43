package dev.reprise.verification.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;

/** A fresh folder that is removed with all it holds, also when the process is interrupted. */
final class Folder implements AutoCloseable {
  private final Path path;
  private final Thread atExit;

  private Folder(Path path) {
    this.path = path;
    this.atExit = new Thread(this::remove);
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  static Folder in(Path parent) throws IOException {
    Files.createDirectories(parent);
    return new Folder(Files.createTempDirectory(parent, "run"));
  }

  Path path() {
    return path;
  }

  private void remove() {
    var found = new ArrayList<Path>();
    try (var all = Files.walk(path)) {
      all.forEach(found::add);
      for (var file : found.reversed()) Files.deleteIfExists(file);
    } catch (NoSuchFileException _) {
      // somebody was faster
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot remove " + path, failure);
    }
  }

  @Override
  public void close() {
    remove();
    Runtime.getRuntime().removeShutdownHook(atExit);
  }
}
