package dev.reprise.examples.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.Reprise;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order on a file and in real time, as an application runs it. */
class CheckoutOnDiskTest {
  private static final Order ORDER = new Order("order-7", List.of("teapot", "cups"), 59_00);

  @TempDir private Path folder;
  private final Shop shop = new Shop();

  @Test
  void an_order_is_shipped() {
    var url = "jdbc:sqlite:" + folder.resolve("orders.db");

    // tag::engine[]
    try (var engine = Reprise.open(url).workflow(new Checkout(shop, shop, shop, shop)).start()) {
      var checkout = engine.start(Checkout.class, "order-7", ORDER); // the same id: the same run
      checkout.signal(Checkout.APPROVAL, new Approval("ops"));

      assertThat(checkout.result().shipment()).isEqualTo("shipment-1");
    }
    // end::engine[]
  }
}
