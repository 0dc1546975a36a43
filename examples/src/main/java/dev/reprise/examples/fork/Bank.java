package dev.reprise.examples.fork;

/** Pays. */
@FunctionalInterface
public interface Bank {

  /** Pays so much of our own money and returns the number of the payment. */
  String pay(String to, long cents);
}
