package dev.reprise.examples.change;

import dev.reprise.Context;
import dev.reprise.Workflow;
import java.time.Duration;

/**
 * Charges a customer after a month. Since the last release it announces the charge first; runs that
 * had come further by then go on without.
 */
public final class Subscription implements Workflow<String, String> {
  private final Billing billing;

  public Subscription(Billing billing) {
    this.billing = billing;
  }

  // tag::patched[]
  @Override
  public String run(Context ctx, String customer) {
    if (ctx.patched("announce-price")) ctx.run(billing::announce, customer); // new in this release

    ctx.sleep(Duration.ofDays(30));
    ctx.run(billing::charge, customer);
    return "charged " + customer;
  }
  // end::patched[]
}
