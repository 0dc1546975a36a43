package dev.reprise.examples.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.Status;
import dev.reprise.WorkflowFailed;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.examples.Arrival;
import dev.reprise.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CheckoutTest {
  private static final Order ORDER = new Order("order-7", List.of("teapot", "cups"), 59_00);

  // tag::engine[]
  private final Shop shop = new Shop();
  private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T09:00:00Z"));
  private final Engine engine =
      Reprise.on(new MemoryStore())
          .time(time.view())
          .workflow(new Checkout(shop, shop, shop, shop))
          .start();

  @AfterEach
  void close() {
    engine.close();
  }

  // end::engine[]

  @Test
  void an_approved_order_is_packed_and_shipped() {
    var checkout = engine.start(Checkout.class, "order-7", ORDER);
    checkout.signal(Checkout.APPROVAL, new Approval("ops"));
    Arrival.at(checkout, "sleep");
    time.advance(Duration.ofSeconds(1));

    assertThat(checkout.result()).isEqualTo(new Receipt("payment-1", "ops", "shipment-1"));
    assertThat(shop.done)
        .startsWith("reserve order-7", "charge 5900")
        .contains("pack teapot", "pack cups")
        .endsWith("ship [parcel with teapot, parcel with cups]");
  }

  // tag::timeout[]
  @Test
  void after_two_days_without_approval_the_customer_gets_the_money_back() {
    var checkout = engine.start(Checkout.class, "order-7", ORDER);

    Arrival.at(checkout, "signal 'approval'");
    time.advance(Duration.ofDays(2));

    var failure = catchThrowableOfType(WorkflowFailed.class, checkout::result);
    assertThat(failure.is(NotApproved.class)).isTrue();
    assertThat(shop.done)
        .containsExactly(
            "reserve order-7", "charge 5900", "refund payment-1", "release reservation-1");
  }

  // end::timeout[]

  @Test
  void an_order_waits_for_its_approval_almost_two_days() {
    var checkout = engine.start(Checkout.class, "order-7", ORDER);
    Arrival.at(checkout, "signal 'approval'");

    time.advance(Duration.ofDays(2).minusSeconds(1));

    assertThat(checkout.status()).isEqualTo(Status.RUNNING);
    assertThat(checkout.describe().waitingFor()).singleElement().asString().contains("approval");
  }
}
