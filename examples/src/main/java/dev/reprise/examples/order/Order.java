package dev.reprise.examples.order;

import java.util.List;

/** What a customer wants. */
public record Order(String id, List<String> items, long cents) {
  public Order {
    items = List.copyOf(items);
  }
}
