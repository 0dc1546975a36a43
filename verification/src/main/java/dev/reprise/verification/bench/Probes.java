package dev.reprise.verification.bench;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What workflows and steps call so that they can be counted. Safe for use by many threads. */
public final class Probes {
  private final NoOps steps = new NoOps();
  private final Alarms alarms = new Alarms();
  private final AtomicInteger arrived = new AtomicInteger();
  private final @Nullable StepLedger ledger;

  Probes() {
    this(null);
  }

  Probes(@Nullable StepLedger ledger) {
    this.ledger = ledger;
  }

  /** The body of a step: gives the index. */
  public int step(int index) {
    return steps.echo(index);
  }

  /** A workflow has come to its wait for a signal. */
  public void arrive() {
    arrived.incrementAndGet();
  }

  /** A workflow is about to sleep. */
  public void ask(String workflowId) {
    alarms.ask(workflowId);
  }

  /** A workflow went on after its sleep. */
  public void wake(String workflowId) {
    alarms.wake(workflowId);
  }

  /** The body of a step that leaves a line: gives the index. */
  public int logged(String workflowId, int index) {
    if (ledger == null) throw new IllegalStateException("there is no ledger");
    return ledger.step(workflowId, index);
  }

  NoOps steps() {
    return steps;
  }

  Alarms alarms() {
    return alarms;
  }

  AtomicInteger arrived() {
    return arrived;
  }

  @Nullable StepLedger ledger() {
    return ledger;
  }
}
