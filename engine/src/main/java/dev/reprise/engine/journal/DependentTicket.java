package dev.reprise.engine.journal;

import dev.reprise.engine.store.Transition;

/** A transition that follows from another one: if that is refused, it must not be stored. */
final class DependentTicket extends Ticket {
  private final Ticket first;

  DependentTicket(Transition transition, Journal journal, Ticket first) {
    super(transition, journal);
    this.first = first;
  }

  /** Whether what it follows from was refused. */
  boolean isVoid() {
    return first.hasFailed();
  }
}
