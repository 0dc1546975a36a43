package dev.reprise.examples.children;

import dev.reprise.Context;
import dev.reprise.Workflow;
import java.time.Duration;

/** Writes an invoice a day after the last box has left. */
public final class Invoice implements Workflow<Order, String> {
  @Override
  public String run(Context ctx, Order order) {
    ctx.sleep(Duration.ofDays(1));
    return ctx.run("invoice-number", String.class, () -> "invoice of " + order.id());
  }
}
