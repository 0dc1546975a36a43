package dev.reprise.examples.children;

import dev.reprise.ChildFailed;
import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.ParentClose;
import dev.reprise.Promise;
import dev.reprise.Workflow;
import java.util.ArrayList;
import java.util.List;

/** Sends an order in as many shipments as there are warehouses, and bills it. */
public final class Fulfilment implements Workflow<Order, Fulfilment.Sent> {

  // tag::all[]
  @Override
  public Sent run(Context ctx, Order order) {
    var shipments = new ArrayList<Promise<String>>();
    for (var box : order.boxes()) {
      var options = ChildOptions.defaults().id(order.id() + "/" + box.warehouse());
      shipments.add(ctx.start(Shipment.class, box, options).result());
    }
    var parcels = ctx.all(shipments); // throws ChildFailed as soon as one fails

    var invoice = ctx.call(Invoice.class, order);
    askLater(ctx, order);
    return new Sent(parcels, invoice);
  }

  // end::all[]

  // tag::abandon[]
  private static void askLater(Context ctx, Order order) {
    var alone = ChildOptions.defaults().onParentClose(ParentClose.ABANDON);
    ctx.start(Survey.class, order.customer(), alone);
  }

  // end::abandon[]

  // tag::failed[]
  /** Each shipment by itself: those that fail are written down, the others go on. */
  static List<String> sendWhatIsThere(Context ctx, Order order) {
    var shipments = order.boxes().stream().map(box -> ctx.start(Shipment.class, box)).toList();
    var results = new ArrayList<String>();
    for (var shipment : shipments) {
      try {
        results.add(shipment.result().await());
      } catch (ChildFailed failed) {
        results.add(failed.workflowId() + " ended as " + failed.status());
      }
    }
    return results;
  }

  // end::failed[]

  /** How an order was sent. */
  public record Sent(List<String> parcels, String invoice) {
    public Sent {
      parcels = List.copyOf(parcels);
    }
  }
}
