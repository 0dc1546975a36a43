package dev.reprise.examples.children;

import dev.reprise.Context;
import dev.reprise.Workflow;
import java.util.List;

/** Sends what is there of an order. */
public final class PartialFulfilment implements Workflow<Order, List<String>> {
  @Override
  public List<String> run(Context ctx, Order order) {
    return Fulfilment.sendWhatIsThere(ctx, order);
  }
}
