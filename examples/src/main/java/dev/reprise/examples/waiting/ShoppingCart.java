package dev.reprise.examples.waiting;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects what the customer puts in, until the customer pays or does nothing for an hour. */
// tag::receive-any[]
public final class ShoppingCart implements Workflow<String, List<String>> {
  public static final Signal<String> ADD = Signal.of("add", String.class);
  public static final Signal<String> REMOVE = Signal.of("remove", String.class);
  public static final Signal<String> PAY = Signal.of("pay", String.class);

  @Override
  public List<String> run(Context ctx, String customer) {
    var items = new ArrayList<String>();
    for (; ; ) {
      var next = ctx.receiveAny(Duration.ofHours(1));
      if (next.isEmpty()) return List.of(); // left alone: everything goes back to the shelves

      var signal = next.get();
      if (signal.is(ADD)) items.add(signal.value(ADD));
      if (signal.is(REMOVE)) items.remove(signal.value(REMOVE));
      if (signal.is(PAY)) return items;
    }
  }
}
// end::receive-any[]
