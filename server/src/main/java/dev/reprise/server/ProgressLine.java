package dev.reprise.server;

import dev.reprise.engine.doctor.Doctor.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Says how far a long piece of work is, every now and then, until it is closed. */
final class ProgressLine implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(2); // who waits longer wants to know

  private final Supplier<String> progress;
  private final PrintWriter err;
  private final CountDownLatch over = new CountDownLatch(1);

  ProgressLine(Supplier<String> progress, PrintWriter err) {
    this.progress = progress;
    this.err = err;
    Thread.ofVirtual().name("reprise-progress").start(this::print);
  }

  private void print() {
    try {
      while (!over.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
        err.println(progress.get());
        err.flush();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Keys of runs have gaps, so how many there are shows only in the end. */
  static String text(Progress now) {
    return String.format(
        Locale.ROOT,
        "looked at %,d of at most %,d runs, %,d events",
        now.runs(),
        now.atMost(),
        now.events());
  }

  @Override
  public void close() {
    over.countDown();
  }
}
