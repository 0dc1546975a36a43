package dev.reprise.examples.saga;

/** Takes money. The key says which payment is meant. */
public interface Bank {

  /** Takes the money, once for each key. */
  void charge(String key, long cents);

  /** Gives back what was taken under the key; nothing happens if nothing was. */
  void refund(String key);
}
