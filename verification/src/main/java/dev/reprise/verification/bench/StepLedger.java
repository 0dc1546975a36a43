package dev.reprise.verification.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/**
 * Which steps really began, written outside of the engine by the steps themselves. A line is one
 * write, so that a killed process leaves whole lines, and all lines have the same length.
 */
final class StepLedger implements AutoCloseable {
  private static final int LINE = line(0, id(0), 0).length;

  private final FileChannel file;
  private final int life;
  private final CountDownLatch gate = new CountDownLatch(1);

  /** That the process with that number began that step. */
  record Entry(int life, String workflowId, int step) {}

  StepLedger(Path path, int life) throws IOException {
    this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    this.life = life;
  }

  /** Of the workflow with that number. */
  static String id(int number) {
    return String.format(Locale.ROOT, "logged-%06d", number);
  }

  /** From now on steps run. */
  void open() {
    gate.countDown();
  }

  /** The step. */
  int step(String workflowId, int index) {
    try {
      gate.await();
      file.write(ByteBuffer.wrap(line(life, workflowId, index)));
      return index;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted before its step", e);
    }
  }

  private static byte[] line(int life, String workflowId, int index) {
    return String.format(Locale.ROOT, "%d %s %03d\n", life, workflowId, index)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** How many steps have begun. */
  static long count(Path path) throws IOException {
    return Files.exists(path) ? Files.size(path) / LINE : 0;
  }

  static List<Entry> read(Path path) throws IOException {
    try (var lines = Files.lines(path)) {
      return lines
          .map(line -> line.split(" "))
          .map(words -> new Entry(Integer.parseInt(words[0]), words[1], Integer.parseInt(words[2])))
          .toList();
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
