package dev.reprise.examples.change;

import dev.reprise.Was;

// tag::was[]
/** Sends parcels. Until the last release the method was called {@code dispatch}. */
public interface Parcels {

  /** Sends a parcel and returns its number. */
  @Was("Parcels.dispatch")
  String send(String address);
}
// end::was[]
