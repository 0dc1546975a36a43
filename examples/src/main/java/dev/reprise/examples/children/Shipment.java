package dev.reprise.examples.children;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.examples.children.Order.Box;

/** Sends one box and waits until it has arrived. */
// tag::child[]
public final class Shipment implements Workflow<Box, String> {
  public static final Signal<String> ARRIVED = Signal.of("arrived", String.class);

  private final Carrier carrier;

  public Shipment(Carrier carrier) {
    this.carrier = carrier;
  }

  @Override
  public String run(Context ctx, Box box) {
    var parcel = ctx.run(carrier::fetch, box);
    var signedBy = ctx.receive(ARRIVED);
    return parcel + " signed by " + signedBy;
  }
}
// end::child[]
