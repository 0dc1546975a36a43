package dev.reprise.examples.change;

/** Writes to customers. */
public interface Billing {

  /** Announces the price of the next month. */
  void announce(String customer);

  /** Takes the money for a month. */
  void charge(String customer);
}
