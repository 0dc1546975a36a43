package dev.reprise.examples.saga;

/** Books flights. */
public interface Flights {

  /** Books a seat and returns the number of the booking. */
  String book(Trip trip);

  /** Gives it back; nothing happens if that was done already. */
  void cancel(String booking);
}
