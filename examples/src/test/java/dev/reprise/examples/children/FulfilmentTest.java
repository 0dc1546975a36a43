package dev.reprise.examples.children;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.ChildFailed;
import dev.reprise.Status;
import dev.reprise.examples.children.Fulfilment.Sent;
import dev.reprise.examples.children.Order.Box;
import dev.reprise.testkit.CrashEverywhere;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class FulfilmentTest {
  private static final Box TEAPOT = new Box("north", List.of("teapot"));
  private static final Box CUPS = new Box("south", List.of("cup", "cup"));
  private static final Box NOTHING = new Box("nowhere", List.of());
  private static final Order ORDER = new Order("order-7", "Ada", List.of(TEAPOT, CUPS));
  private static final Order IMPOSSIBLE = new Order("order-7", "Ada", List.of(TEAPOT, NOTHING));
  private static final Sent SENT =
      new Sent(
          List.of("parcel from north signed by Ada", "parcel from south signed by Bob"),
          "invoice of order-7");

  private final Queue<String> letters = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void register(TestEngine engine) {
    engine
        .workflow(new Fulfilment())
        .workflow(new PartialFulfilment())
        .workflow(new Shipment(FulfilmentTest::fetch))
        .workflow(new Invoice())
        .workflow(new Survey(letters::add));
  }

  // tag::test[]
  @Test
  void an_order_has_arrived_when_all_its_boxes_have(TestEngine engine) {
    var fulfilment = engine.start(Fulfilment.class, "order-7", ORDER);
    engine.signal("order-7/south", Shipment.ARRIVED, "Bob");
    engine.signal("order-7/north", Shipment.ARRIVED, "Ada");

    assertThat(fulfilment).completedWith(SENT);
  }

  // end::test[]

  @Test
  void the_customer_is_asked_when_the_order_is_long_done(TestEngine engine) {
    var fulfilment = engine.start(Fulfilment.class, "order-7", ORDER);
    engine.signal("order-7/south", Shipment.ARRIVED, "Bob");
    engine.signal("order-7/north", Shipment.ARRIVED, "Ada");
    assertThat(fulfilment).completedWith(SENT);
    assertThat(letters).isEmpty();

    engine.advance(Duration.ofDays(14));

    assertThat(letters).containsExactly("Ada");
    assertThat(engine.describe("order-7/Survey:1").parent()).isEqualTo("order-7");
  }

  @Test
  void a_shipment_that_fails_fails_the_order_and_ends_the_others(TestEngine engine) {
    var fulfilment = engine.start(Fulfilment.class, "order-7", IMPOSSIBLE);

    assertThat(fulfilment).failedWith(ChildFailed.class);
    engine.awaitQuiet();
    assertThat(engine.describe("order-7/north").status()).isEqualTo(Status.CANCELLED);
    assertThat(engine.describe("order-7/nowhere").status()).isEqualTo(Status.FAILED);
  }

  @Test
  void whoever_cancels_an_order_cancels_its_shipments(TestEngine engine) {
    var fulfilment = engine.start(Fulfilment.class, "order-7", ORDER);

    fulfilment.cancel("changed my mind");

    assertThat(fulfilment).isCancelled();
    engine.awaitQuiet();
    assertThat(engine.describe("order-7/north").status()).isEqualTo(Status.CANCELLED);
    assertThat(engine.describe("order-7/south").status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void what_is_there_is_sent(TestEngine engine) {
    var fulfilment = engine.start(PartialFulfilment.class, "order-7", IMPOSSIBLE);
    engine.signal("order-7/Shipment:1", Shipment.ARRIVED, "Ada");

    assertThat(fulfilment)
        .completedWith(
            List.of("parcel from north signed by Ada", "order-7/Shipment:2 ended as FAILED"));
  }

  // tag::crash[]
  @CrashEverywhere(onlyOutcomes = true)
  void each_box_is_sent_once_wherever_the_engine_dies(TestEngine engine) {
    var fulfilment = engine.start(Fulfilment.class, "order-7", ORDER);
    engine.signal("order-7/south", Shipment.ARRIVED, "Bob");
    engine.signal("order-7/north", Shipment.ARRIVED, "Ada");

    assertThat(fulfilment).completedWith(SENT);
  }

  // end::crash[]

  private static String fetch(Box box) {
    if (box.items().isEmpty()) throw new Carrier.NothingThere(box);
    return "parcel from " + box.warehouse();
  }
}
