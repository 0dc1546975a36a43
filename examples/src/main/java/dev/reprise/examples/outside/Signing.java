package dev.reprise.examples.outside;

/** Lets people sign papers. */
public interface Signing {
  /** Returns when somebody has signed. */
  Signature sign(String document, String email);
}
