package dev.reprise.verification.chaos;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What really happened, written line by line outside of the engine. A line is one write at the end
 * of the file, so a killed process leaves whole lines, and the lines of several processes are in
 * the order in which they were written.
 */
public final class Ledger implements AutoCloseable {
  /** Not a channel: that would be closed by the interrupt of a thread that writes. */
  private final FileOutputStream file;

  public Ledger(Path path) throws IOException {
    this.file = new FileOutputStream(path.toFile(), true);
  }

  public void write(String line) {
    try {
      file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<String> read(Path path) throws IOException {
    return Files.exists(path) ? Files.readAllLines(path) : List.of();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
