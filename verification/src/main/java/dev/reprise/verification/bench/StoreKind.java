package dev.reprise.verification.bench;

import java.util.Locale;

/** The stores that can be measured. */
enum StoreKind {
  /** A file, written to the disk before anything is acknowledged. */
  SQLITE,
  /** Nothing durable: what the engine itself costs. */
  MEMORY,
  /** A server on this machine or elsewhere. */
  POSTGRES;

  /** As on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
