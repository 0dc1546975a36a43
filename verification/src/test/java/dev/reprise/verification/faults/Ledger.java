package dev.reprise.verification.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * What really happened, written line by line outside of the engine: each activity as it begins,
 * each acknowledgement as it is received. A line is one write, so a killed process leaves whole
 * lines.
 */
final class Ledger implements AutoCloseable {
  private final FileChannel file;

  Ledger(Path path) throws IOException {
    this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  void write(String line) {
    try {
      file.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> read(Path path) throws IOException {
    return Files.exists(path) ? Files.readAllLines(path) : List.of();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
