package dev.reprise.examples.order;

/** Where things are packed. */
public interface Warehouse {

  /** Packs one item and returns the number of the parcel. */
  String pack(String item);
}
