package dev.reprise.examples.first;

// tag::activities[]
/** Where accounts are kept. */
public interface Accounts {

  /** Creates an account for a mail address and returns its number. */
  String create(String address);
}
// end::activities[]
