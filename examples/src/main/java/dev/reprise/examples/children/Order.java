package dev.reprise.examples.children;

import java.util.List;

/** What a customer ordered, by the warehouse that has it. */
public record Order(String id, String customer, List<Box> boxes) {
  public Order {
    boxes = List.copyOf(boxes);
  }

  /** What is sent from one warehouse. */
  public record Box(String warehouse, List<String> items) {
    public Box {
      items = List.copyOf(items);
    }
  }
}
