package dev.reprise.examples.fork;

import dev.reprise.Client;
import dev.reprise.Fork;
import dev.reprise.Handle;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Mends settlements that were made with a wrong rate. */
public final class Repair {
  private static final String RATE = "Rates.of:1"; // its id in the history

  private Repair() {}

  // tag::repair[]
  /** Ends the wrong one, and goes on with another from the rate on. */
  static Handle<@Nullable Object> withRate(Client client, String settlement, BigDecimal rate) {
    var mended = settlement + "-mended";
    client.cancel(settlement, "wrong rate, see " + mended);
    int last = indexOfRate(client, settlement); // the last event that is kept
    return client.fork(Fork.of(settlement, last).as(mended).result(RATE, rate));
  }

  private static int indexOfRate(Client client, String settlement) {
    return client.history(settlement).stream()
        .filter(event -> event.type().equals("ActivityCompleted") && event.subject().equals(RATE))
        .findFirst()
        .orElseThrow()
        .index();
  }

  // end::repair[]

  // tag::input[]
  /** From the first event on: everything again, with other input. */
  static Handle<@Nullable Object> withInvoice(Client client, String settlement, Invoice invoice) {
    return client.fork(Fork.of(settlement, 1).as(settlement + "-again").input(invoice));
  }
  // end::input[]
}
