package dev.reprise.engine.filter;

import java.math.BigDecimal;
import java.time.Instant;

/** What a field is compared with. Values of different types are never equal, and have no order. */
public sealed interface Value {

  /** Compared by code points, which is the order of UTF-8 in databases. */
  record Text(String text) implements Value {}

  /** A number. */
  record Numeric(BigDecimal number) implements Value {}

  /** True or false. */
  record Truth(boolean truth) implements Value {}

  /** A time, to the microsecond as stores keep it. */
  record Time(Instant time) implements Value {}
}
