package dev.reprise.examples.order;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.List;

/** Takes an order from the shelf to the door. */
// tag::workflow[]
public final class Checkout implements Workflow<Order, Receipt> {
  public static final Signal<Approval> APPROVAL = Signal.of("approval", Approval.class);

  private static final Duration PATIENCE = Duration.ofDays(2);
  private static final Duration UNTIL_PICK_UP = Duration.ofSeconds(1); // a short way to the ramp

  private final Inventory inventory;
  private final Payments payments;
  private final Warehouse warehouse;
  private final Shipping shipping;

  public Checkout(Inventory inventory, Payments payments, Warehouse warehouse, Shipping shipping) {
    this.inventory = inventory;
    this.payments = payments;
    this.warehouse = warehouse;
    this.shipping = shipping;
  }

  // tag::run[]
  @Override
  public Receipt run(Context ctx, Order order) {
    var reservation = ctx.run(inventory::reserve, order);
    var payment = ctx.run(payments::charge, order);

    var approval = ctx.receive(APPROVAL, PATIENCE); // empty when the time is over
    if (approval.isEmpty()) {
      ctx.run(payments::refund, payment);
      ctx.run(inventory::release, reservation);
      throw new NotApproved(order.id());
    }

    var parcels = packAll(ctx, order.items());
    ctx.sleep(UNTIL_PICK_UP);
    var shipment = ctx.run(shipping::ship, order.id(), parcels);
    return new Receipt(payment, approval.get().by(), shipment);
  }

  private List<String> packAll(Context ctx, List<String> items) {
    return ctx.all(
        items.stream().map(item -> ctx.async(() -> ctx.run(warehouse::pack, item))).toList());
  }
  // end::run[]
}
// end::workflow[]
