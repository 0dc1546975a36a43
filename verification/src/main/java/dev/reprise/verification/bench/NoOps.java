package dev.reprise.verification.bench;

import java.util.concurrent.atomic.LongAdder;

/** What the steps do: next to nothing, so that the figures are the engine's own cost. */
final class NoOps {
  private final LongAdder executions = new LongAdder();

  /** The step. */
  int echo(int index) {
    executions.increment();
    return index;
  }

  /** How often the step ran. */
  long executions() {
    return executions.sum();
  }
}
