package dev.reprise.verification.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** An engine with a closed loop of clients in a process of its own, which tells how far it is. */
final class LoopingProcess implements AutoCloseable {
  private static final String UP = "up";
  private static final long POLL_MILLIS = 5;
  private static final String HEAP = "1g";

  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter questions;

  private LoopingProcess(Process process) {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.questions = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  /** Starts it, and returns at once. Workflow ids begin with its name. */
  static LoopingProcess start(String url, String name, int clients) throws IOException {
    return new LoopingProcess(
        JavaProcess.of(HEAP, LoopingProcess.class, url, name, Integer.toString(clients)).start());
  }

  /** Waits until its first step has run. */
  void awaitUp() throws IOException {
    var word = answers.readLine();
    if (!UP.equals(word)) throw new IOException("an engine process did not start: " + word);
  }

  /** How many steps it has run so far. */
  long steps() throws IOException {
    questions.println();
    var answer = answers.readLine();
    if (answer == null) throw new IOException("an engine process is gone");
    return Long.parseLong(answer);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** The other process: works until its input ends. */
  public static void main(String[] args) throws Exception {
    var probes = new Probes();
    var subject = new Ours().open(args[0], probes);
    try (var bed = new TestBed(subject, probes, new Database(args[0], null), args[1] + "-");
        var questions =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      var clients = Clients.start(bed, Integer.parseInt(args[2]), 0);
      while (probes.steps().executions() == 0) Thread.sleep(POLL_MILLIS);
      System.out.println(UP);
      while (questions.readLine() != null) System.out.println(probes.steps().executions());
      clients.stop();
    }
  }
}
