package dev.reprise.examples.retries;

import dev.reprise.TerminalFailure;

/** A hotel's booking system, which is often slow and sometimes down. */
public interface Hotel {

  /** Books a room for a guest and returns the number of the booking. */
  String book(String guest);

  /** Puts a guest on the waiting list. */
  void putOnWaitingList(String guest);

  // tag::terminal[]
  /** Asking again would not help. */
  final class FullyBooked extends TerminalFailure {
    private static final long serialVersionUID = 1L;

    public FullyBooked(String hotel) {
      super(hotel + " has no room left");
    }
  }
  // end::terminal[]
}
