package dev.reprise.examples.crash;

/**
 * Moves money.
 *
 * <p>An activity that was running when its process died is run again, because nobody knows how far
 * it came. So each movement has a key, and the bank books one key once.
 */
// tag::activities[]
public interface Bank {
  void withdraw(String account, long cents, String key);

  void deposit(String account, long cents, String key);
}
// end::activities[]
