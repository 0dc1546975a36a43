package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.RunRow;
import java.time.Duration;

/**
 * Contains runs that kill their engine. A run whose owners died again and again is tried alone, so
 * that it takes no other suspect with it, and after some more deaths it is held.
 */
final class Trials {
  private static final int MAX_CRASHES = 5;
  private static final Duration LONGEST = Duration.ofSeconds(5); // then it has stood the trial

  private final Machine machine;
  private long run; // on trial; 0 if none
  private long begun;

  Trials(Machine machine) {
    this.machine = machine;
  }

  /** Whether nothing is on trial. */
  synchronized boolean isFree() {
    return run == 0 || machine.nanoTime() - begun > LONGEST.toNanos();
  }

  synchronized void begin(RunRow row) {
    run = row.key();
    begun = machine.nanoTime();
  }

  /** The run waits or is gone: it has done no harm. */
  synchronized void stood(long key) {
    if (run == key) run = 0;
  }

  /** Whether the run has done enough harm. */
  static boolean isOver(RunRow row) {
    return row.crashes() >= MAX_CRASHES;
  }

  /** Why it is held. */
  static String verdict(RunRow row) {
    return """
    %s quarantined: %d engines died one after the other while they had '%s' in memory, and it \
    recorded nothing in between. Look into their logs for what it does then (it may exhaust the \
    memory, or end the process), mend that, and resume it. (see %s)\
    """
        .formatted(ErrorCode.R124, row.crashes(), row.workflowId(), ErrorCode.R124.docs());
  }
}
