package dev.reprise.examples.saga;

import dev.reprise.TerminalFailure;

/** Books rooms. */
public interface Hotels {

  /** Books a room and returns the number of the booking. */
  String book(Trip trip);

  /** Gives it back; nothing happens if that was done already. */
  void cancel(String booking);

  /** Asking again would not help. */
  final class FullyBooked extends TerminalFailure {
    private static final long serialVersionUID = 1L;

    public FullyBooked(String place) {
      super("there is no room left in " + place);
    }
  }
}
