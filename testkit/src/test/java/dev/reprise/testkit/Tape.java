package dev.reprise.testkit;

import dev.reprise.Handle;
import dev.reprise.Workflow;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** Records histories of workflows with a real engine. */
final class Tape {
  static final String WORKFLOW = "Order";

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private Tape() {}

  /** Of a run that ends by itself. */
  static String ofClosed(Workflow<String, String> code) {
    return of(code, (_, run) -> awaitEnd(run));
  }

  /** Of a run that waits for something whose description has that text, after so many events. */
  static String ofWaiting(Workflow<String, String> code, String text, int events) {
    return of(
        code,
        (_, run) -> {
          awaitWait(run, text);
          until(events + " durable events", () -> run.history().size() == events);
        });
  }

  /** Of a run with which that is done. */
  static String of(Workflow<String, String> code, BiConsumer<Engine, Handle<?>> play) {
    var reprise =
        Reprise.inMemory()
            .shutdownGrace(Duration.ZERO)
            .workflow(WORKFLOW, String.class, String.class, code);
    try (var engine = reprise.start()) {
      var run = engine.start(WORKFLOW, "order-7", "tea");
      play.accept(engine, run);
      return ReplayCheck.download(run);
    }
  }

  static void awaitEnd(Handle<?> run) {
    try {
      run.result();
    } catch (WorkflowFailed | WorkflowCancelled end) {
      until("the end", () -> run.status().isClosed());
    }
  }

  static void awaitWait(Handle<?> run, String text) {
    until(
        "a wait for " + text,
        () ->
            run.describe().waitingFor().stream().anyMatch(wait -> wait.toString().contains(text)));
  }

  static void awaitEvent(Handle<?> run, String type) {
    until(type, () -> run.history().stream().anyMatch(event -> event.type().equals(type)));
  }

  static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) throw new AssertionError("never happened: " + what);
      LockSupport.parkNanos(200_000);
    }
  }
}
