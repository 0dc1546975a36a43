package dev.reprise.examples.saga;

/** Rents cars. */
public interface Cars {

  /** Rents a car and returns the number of the booking. */
  String rent(Trip trip);

  /** Gives it back; nothing happens if that was done already. */
  void cancel(String booking);
}
