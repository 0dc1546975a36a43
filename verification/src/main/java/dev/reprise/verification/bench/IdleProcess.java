package dev.reprise.verification.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;

/** A {@link FootprintProcess}, seen from outside. */
final class IdleProcess implements AutoCloseable {
  private final long begin = System.nanoTime();
  private final Process process;
  private final BufferedReader words;

  IdleProcess(ProcessBuilder command) throws IOException {
    this.process = command.start();
    this.words = process.inputReader();
  }

  /** Until it is so far; gives the milliseconds since its start. */
  double await(String word) throws IOException {
    for (var line = words.readLine(); line != null; line = words.readLine()) {
      if (line.equals(word)) return (System.nanoTime() - begin) / 1e6;
    }
    throw new IllegalStateException("the application ended before it was " + word);
  }

  /** What all of its threads have used of the processors. */
  Duration cpu() {
    return process
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new IllegalStateException("the application has ended"));
  }

  /** How much of the machine's memory it has, where the system tells that in a file. */
  OptionalLong residentBytes() throws IOException {
    var status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.exists(status)) return OptionalLong.empty();
    try (var lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_024)
          .findFirst();
    }
  }

  long heapBytes() throws IOException {
    var pen = process.outputWriter();
    pen.newLine();
    pen.flush();
    var line = words.readLine();
    if (line == null) throw new IllegalStateException("the application ended unasked");
    return Long.parseLong(line);
  }

  /** Lets it end by itself, and sees that it does. */
  void end() throws IOException, InterruptedException {
    process.outputWriter().close();
    while (words.readLine() != null) {
      // what the JVM has to say in the end
    }
    int exit = process.waitFor();
    if (exit != 0) throw new IllegalStateException("the application ended with " + exit);
  }

  @Override
  public void close() {
    process.destroy(); // it has ended, unless something went wrong
  }
}
