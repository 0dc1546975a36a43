package dev.reprise.examples.change;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.SourcePolicy;
import dev.reprise.Was;
import dev.reprise.WhenChanged;
import dev.reprise.Workflow;

// tag::hold[]
/** Sends a parcel and waits for the receipt. Somebody looks at each run before new code has it. */
@Was("Courier") // the class had that name; its open runs go on here
@WhenChanged(SourcePolicy.HOLD)
public final class ParcelService implements Workflow<String, String> {
  public static final Signal<String> RECEIPT = Signal.of("receipt", String.class);

  private final Parcels parcels;

  public ParcelService(Parcels parcels) {
    this.parcels = parcels;
  }

  @Override
  public String run(Context ctx, String address) {
    var number = ctx.run(parcels::send, address);
    return number + " received by " + ctx.receive(RECEIPT);
  }
}
// end::hold[]
