package dev.reprise.verification.histories;

import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.engine.Engine;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A run of a scenario, and what can be done to it.
 *
 * @param engine which has it
 * @param id of its workflow
 */
record Run(Engine engine, String id) {
  private static final Duration LIMIT = Duration.ofSeconds(30); // far more than anything takes
  private static final long PAUSE_NANOS = 1_000_000;

  <T> void signal(Signal<T> signal, T value) {
    engine.signal(id, signal, value);
  }

  void awaitEnd() {
    until("its end", () -> engine.describe(id).status().isClosed());
  }

  void awaitStatus(Status status) {
    until("it is " + status, () -> engine.describe(id).status() == status);
  }

  void awaitBlocked() {
    until("it is blocked", () -> engine.describe(id).status() == Status.BLOCKED);
  }

  /** Waits until a branch of it waits for something whose description has that text. */
  void awaitWait(String text) {
    until(
        "it waits for " + text,
        () ->
            engine.describe(id).waitingFor().stream()
                .anyMatch(wait -> wait.toString().contains(text)));
  }

  void awaitEvents(String type, int count) {
    until(
        count + " " + type,
        () -> engine.history(id).stream().filter(e -> e.type().equals(type)).count() >= count);
  }

  void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(
            id + ": never happened: " + what + "; " + engine.describe(id));
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
