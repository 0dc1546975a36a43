package dev.reprise.verification.bench;

import dev.reprise.engine.Engine;
import dev.reprise.engine.task.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A worker of the queue that is measured: in a process of its own, or in that of the engine. */
final class BenchWorker implements AutoCloseable {
  private static final String READY = "ready";
  private static final String HEAP = "512m";

  private final @Nullable Process process;
  private final @Nullable Worker worker;

  private BenchWorker(@Nullable Process process, @Nullable Worker worker) {
    this.process = process;
    this.worker = worker;
  }

  static BenchWorker inside(Engine engine, int concurrency) {
    return new BenchWorker(null, engine.worker(QueuedWorkflows.QUEUE, concurrency));
  }

  static BenchWorker process(String url, int concurrency) throws IOException {
    var process = JavaProcess.of(HEAP, BenchWorker.class, url, "" + concurrency).start();
    try {
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      var line = out.readLine();
      if (!READY.equals(line)) throw new IOException("the worker did not start: " + line);
      return new BenchWorker(process, null);
    } catch (IOException | RuntimeException failure) {
      process.destroyForcibly();
      throw failure;
    }
  }

  /** The other process: serves until its input ends. */
  public static void main(String[] args) throws IOException {
    try (var engine = Database.reprise(args[0]).activities(new QueuedWorkflows.Echo()).start()) {
      engine.worker(QueuedWorkflows.QUEUE, Integer.parseInt(args[1]));
      System.out.println(READY);
      while (System.in.read() >= 0) {}
    }
  }

  /** Complains if the process is gone. */
  void check() {
    if (process != null && !process.isAlive()) {
      throw new IllegalStateException("the worker died: " + process.exitValue());
    }
  }

  @Override
  public void close() {
    if (worker != null) worker.close();
    if (process == null) return;
    process.destroyForcibly();
    process.onExit().join();
  }
}
