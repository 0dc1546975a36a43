package dev.reprise.examples.cancel;

/** The seats of a theatre. */
public interface Seats {

  /** Keeps a seat for a while and returns the number of the hold. */
  String hold(String show);

  /** Sells what is held and returns the number of the ticket. */
  String sell(String hold);

  /** Gives back what is held; nothing happens if that was done already. */
  void free(String hold);
}
