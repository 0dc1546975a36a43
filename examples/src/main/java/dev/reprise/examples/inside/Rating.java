package dev.reprise.examples.inside;

/** Says how likely a customer pays back. */
@FunctionalInterface
public interface Rating {

  /** From 0 to 100. */
  int of(String customer);
}
