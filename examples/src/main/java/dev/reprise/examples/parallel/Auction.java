package dev.reprise.examples.parallel;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.time.Duration;

/** Sells to the first who pays the full price, or ends without a sale after an hour. */
public final class Auction implements Workflow<String, String> {
  public static final Signal<String> BUY_NOW = Signal.of("buy-now", String.class);

  // tag::race[]
  @Override
  public String run(Context ctx, String item) {
    var sold = ctx.async(() -> "sold to " + ctx.receive(BUY_NOW));
    var over =
        ctx.async(
            () -> {
              ctx.sleep(Duration.ofHours(1));
              return "not sold";
            });

    return ctx.race(sold, over); // the first to end, whether it returns or throws
  }
  // end::race[]
}
