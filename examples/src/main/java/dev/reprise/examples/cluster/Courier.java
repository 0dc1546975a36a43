package dev.reprise.examples.cluster;

/** Fetches parcels. May be asked twice for the same one, and fetches it once. */
public interface Courier {
  String pickUp(String parcel);
}
