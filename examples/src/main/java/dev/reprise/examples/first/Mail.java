package dev.reprise.examples.first;

// tag::activities[]
/** Sends mails. */
public interface Mail {

  /** Tells a new customer the number of the account. */
  void welcome(String address, String account);
}
// end::activities[]
