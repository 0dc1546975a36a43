package dev.reprise.examples.fork;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Pays an invoice in foreign money after somebody has looked at it. */
// tag::workflow[]
public final class Settlement implements Workflow<Invoice, String> {
  public static final Signal<String> RELEASE = Signal.of("release", String.class);

  private final Rates rates;
  private final Bank bank;

  public Settlement(Rates rates, Bank bank) {
    this.rates = rates;
    this.bank = bank;
  }

  @Override
  public String run(Context ctx, Invoice invoice) {
    var rate = ctx.run(rates::of, invoice.currency());
    ctx.receive(RELEASE);
    return ctx.run(bank::pay, invoice.from(), inOurMoney(invoice.cents(), rate));
  }

  private static long inOurMoney(long cents, BigDecimal rate) {
    return rate.multiply(BigDecimal.valueOf(cents)).setScale(0, RoundingMode.HALF_UP).longValue();
  }
}
// end::workflow[]
