package dev.reprise.examples.order;

/** Takes money and gives it back. */
public interface Payments {

  /** Takes the money for an order and returns the number of the payment. */
  String charge(Order order);

  /** Gives the money back. */
  void refund(String payment);
}
