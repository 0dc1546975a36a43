package dev.reprise.examples;

import dev.reprise.Handle;
import dev.reprise.testkit.VirtualTime;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits until a run has come to a certain place, so that a test knows what it moves the time past.
 */
public final class Arrival {
  private static final Duration LIMIT =
      Duration.ofSeconds(20); // far more than a slow machine needs

  private Arrival() {}

  /** Waits until one of the run's branches waits for that, such as {@code signal 'approval'}. */
  public static void at(Handle<?> run, String place) {
    until(
        () -> run.describe().waitingFor().stream().anyMatch(wait -> wait.contains(place)),
        () ->
            "%s never came to '%s'. It waits for %s after:%n%s"
                .formatted(run.workflowId(), place, run.describe().waitingFor(), run.history()));
  }

  /** Waits until an alarm is set: something has begun that a time limit can end. */
  public static void atAlarm(VirtualTime time) {
    until(() -> time.nextAlarm().isPresent(), () -> "nobody set an alarm");
  }

  private static void until(BooleanSupplier condition, Supplier<String> otherwise) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > LIMIT.toNanos()) throw new AssertionError(otherwise.get());
      Thread.onSpinWait();
    }
  }
}
