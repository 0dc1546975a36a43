package dev.reprise.examples.order;

/** What is on the shelves. */
public interface Inventory {

  /** Puts the items of an order aside and returns the number of the reservation. */
  String reserve(Order order);

  /** Puts the items back. */
  void release(String reservation);
}
