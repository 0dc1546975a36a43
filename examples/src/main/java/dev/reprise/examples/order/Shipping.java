package dev.reprise.examples.order;

import java.util.List;

/** Brings parcels to customers. */
public interface Shipping {

  /** Hands the parcels of an order over and returns the number of the shipment. */
  String ship(String order, List<String> parcels);
}
