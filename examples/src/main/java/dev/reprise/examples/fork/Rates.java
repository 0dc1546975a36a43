package dev.reprise.examples.fork;

import java.math.BigDecimal;

/** What foreign money is worth. */
@FunctionalInterface
public interface Rates {

  /** In our own money. */
  BigDecimal of(String currency);
}
