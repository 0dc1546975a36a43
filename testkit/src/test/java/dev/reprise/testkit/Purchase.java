package dev.reprise.testkit;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A workflow for tests of the kit: activities of all kinds, a signal with a limit, a sleep. */
final class Purchase implements Workflow<String, String> {
  static final Signal<String> APPROVAL = Signal.of("approval", String.class);
  static final Duration PATIENCE = Duration.ofDays(2);
  static final Duration DELIVERY = Duration.ofDays(3);

  interface Payments {
    String charge(String item);

    void refund(String payment);
  }

  interface Stock {
    int reserve(String item);
  }

  private final Payments payments;

  Purchase(Payments payments) {
    this.payments = payments;
  }

  @Override
  public String run(Context ctx, String item) {
    int left = ctx.activities(Stock.class).reserve(item);
    var payment = ctx.run(payments::charge, item);
    var approval = ctx.receive(APPROVAL, PATIENCE);
    if (approval.isEmpty()) {
      ctx.run(payments::refund, payment);
      throw new IllegalStateException("nobody approved " + item);
    }
    ctx.sleep(DELIVERY);
    var note = ctx.run("note", String.class, () -> "note");
    return "%s for %s by %s, %d left, %s".formatted(item, payment, approval.get(), left, note);
  }

  /** A shop that remembers what it was asked to do. */
  static final class Shop implements Payments, Stock {
    final List<String> done = new CopyOnWriteArrayList<>();

    @Override
    public String charge(String item) {
      done.add("charge " + item);
      return "payment-1";
    }

    @Override
    public void refund(String payment) {
      done.add("refund " + payment);
    }

    @Override
    public int reserve(String item) {
      done.add("reserve " + item);
      return 4;
    }
  }
}
