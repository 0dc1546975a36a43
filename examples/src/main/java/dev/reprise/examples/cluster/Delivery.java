package dev.reprise.examples.cluster;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.util.ArrayList;
import java.util.List;

/** Follows a parcel from station to station until it is at the door. */
// tag::workflow[]
public final class Delivery implements Workflow<String, List<String>> {
  public static final Signal<String> SCAN = Signal.of("scan", String.class);

  private final Courier courier;

  public Delivery(Courier courier) {
    this.courier = courier;
  }

  @Override
  public List<String> run(Context ctx, String parcel) {
    var stations = new ArrayList<String>();
    stations.add(ctx.run(courier::pickUp, parcel));
    while (!stations.getLast().equals("door")) stations.add(ctx.receive(SCAN));
    return stations;
  }
}
// end::workflow[]
