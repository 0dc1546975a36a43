package dev.reprise.examples.order;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A shop that only remembers what it was asked to do. */
final class Shop implements Inventory, Payments, Warehouse, Shipping {
  final Queue<String> done = new ConcurrentLinkedQueue<>();

  @Override
  public String reserve(Order order) {
    done.add("reserve " + order.id());
    return "reservation-1";
  }

  @Override
  public void release(String reservation) {
    done.add("release " + reservation);
  }

  @Override
  public String charge(Order order) {
    done.add("charge " + order.cents());
    return "payment-1";
  }

  @Override
  public void refund(String payment) {
    done.add("refund " + payment);
  }

  @Override
  public String pack(String item) {
    done.add("pack " + item);
    return "parcel with " + item;
  }

  @Override
  public String ship(String order, List<String> parcels) {
    done.add("ship " + parcels);
    return "shipment-1";
  }
}
