package dev.reprise.engine.journal;

import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Patience;

/**
 * Keeps threads of lone workflows awake while a commit takes place, as the writer is: to wake one
 * on a processor that has gone to sleep takes as long as all else that the engine does for a step.
 * Where commits take long, or where others want the processor, it is not tried for a while. See ADR
 * 0026.
 */
final class Wakefulness {
  private static final long COMMIT_NANOS = 1_000_000; // a slow one, if the database is near
  private static final int DISAPPOINTMENTS = 4;
  private static final int FIRST_REST = 250; // steps
  private static final int LONGEST_REST = 1_000;

  private final Machine machine;
  private final Patience patience = new Patience(DISAPPOINTMENTS, FIRST_REST, LONGEST_REST);

  Wakefulness(Machine machine) {
    this.machine = machine;
  }

  /** Until the ticket is done, or it is better to sleep. */
  void stay(Ticket ticket) {
    if (!machine.canGiveWay() || !patience.begins()) return;
    patience.ended(machine.watch(ticket::isDone, COMMIT_NANOS));
  }
}
