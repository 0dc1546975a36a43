package dev.reprise.examples.order;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.testkit.CrashEverywhere;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.util.List;

@RepriseTest
class CheckoutEffectsTest {
  private static final Order ORDER = new Order("order-7", List.of("teapot", "cups"), 59_00);

  // tag::effects[]
  @CrashEverywhere
  void money_moves_in_activities_only(TestEngine engine) {
    var shop = new Shop();
    var payments = engine.effects(Payments.class, shop);
    engine.workflow(new Checkout(shop, payments, shop, shop));

    var checkout = engine.start(Checkout.class, "order-7", ORDER);
    checkout.signal(Checkout.APPROVAL, new Approval("ops"));

    assertThat(checkout).completedWith(new Receipt("payment-1", "ops", "shipment-1"));
  }
  // end::effects[]
}
