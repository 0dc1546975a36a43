package dev.reprise.examples.order;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.testkit.CrashEverywhere;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class CheckoutTest {
  private static final Order ORDER = new Order("order-7", List.of("teapot", "cups"), 59_00);

  // tag::engine[]
  private final Shop shop = new Shop();

  @BeforeEach
  void register(TestEngine engine) {
    engine.workflow(new Checkout(shop, shop, shop, shop));
  }

  // end::engine[]

  // tag::signal[]
  @Test
  void an_approved_order_is_packed_and_shipped(TestEngine engine) {
    var checkout = engine.start(Checkout.class, "order-7", ORDER);
    engine.after(
        Duration.ofHours(2), () -> checkout.signal(Checkout.APPROVAL, new Approval("ops")));

    assertThat(checkout)
        .completedWith(new Receipt("payment-1", "ops", "shipment-1"))
        .ran("Payments.charge")
        .once()
        .ran("Warehouse.pack")
        .times(2)
        .ranInOrder("Inventory.reserve", "Payments.charge", "Warehouse.pack", "Shipping.ship")
        .didNotRun("Payments.refund");
  }

  // end::signal[]

  // tag::timeout[]
  @Test
  void after_two_days_without_approval_the_customer_gets_the_money_back(TestEngine engine) {
    var checkout = engine.start(Checkout.class, "order-7", ORDER);

    engine.advance(Duration.ofDays(2));

    assertThat(checkout).failedWith(NotApproved.class).ran("Payments.refund").once();
    assertThat(shop.done)
        .containsExactly(
            "reserve order-7", "charge 5900", "refund payment-1", "release reservation-1");
  }

  // end::timeout[]

  @Test
  void an_order_waits_for_its_approval_almost_two_days(TestEngine engine) {
    var checkout = engine.start(Checkout.class, "order-7", ORDER);

    engine.advance(Duration.ofDays(2).minusSeconds(1));

    assertThat(checkout).isOpen().isWaitingFor("signal 'approval'");
  }

  // tag::replace[]
  @Test
  void a_payment_is_tried_again_until_it_works(TestEngine engine) {
    engine.replace(
        "Payments.charge",
        call -> {
          if (call.attempt() < 3) throw new IllegalStateException("no connection");
          return "payment of " + call.argument(0, Order.class).cents();
        });
    var checkout = engine.start(Checkout.class, "order-7", ORDER);
    engine.after(
        Duration.ofHours(2), () -> checkout.signal(Checkout.APPROVAL, new Approval("ops")));

    assertThat(checkout.result().payment()).isEqualTo("payment of 5900");
    assertThat(checkout).ran("Payments.charge").once().withAttempts(3);
  }

  // end::replace[]

  // tag::crash[]
  @CrashEverywhere
  void an_order_is_shipped_wherever_its_engine_dies(TestEngine engine) {
    var checkout = engine.start(Checkout.class, "order-7", ORDER);
    checkout.signal(Checkout.APPROVAL, new Approval("ops"));

    assertThat(checkout).completedWith(new Receipt("payment-1", "ops", "shipment-1"));
  }
  // end::crash[]
}
