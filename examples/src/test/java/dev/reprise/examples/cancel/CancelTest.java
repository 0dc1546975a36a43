package dev.reprise.examples.cancel;

import static dev.reprise.testkit.RepriseAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.WorkflowTimedOut;
import dev.reprise.examples.cancel.Onboarding.Desk;
import dev.reprise.examples.cancel.PriceComparison.Offer;
import dev.reprise.examples.cancel.PriceComparison.Request;
import dev.reprise.testkit.CrashEverywhere;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class CancelTest {
  private final Theatre theatre = new Theatre();
  private final SlowWarehouse warehouse = new SlowWarehouse();

  @BeforeEach
  void register(TestEngine engine) {
    engine
        .workflow(new TicketOrder(theatre))
        .workflow(new Onboarding(new NewOffice()))
        .workflow(new PriceComparison(CancelTest::ask))
        .workflow(new YearEnd(new Reports(warehouse)));
  }

  // ---- an order that is cancelled

  @Test
  void a_seat_that_is_paid_is_sold(TestEngine engine) {
    var order = engine.start(TicketOrder.class, "order-7", "Hamlet");
    order.signal(TicketOrder.PAID, "Ada");

    assertThat(order).completedWith("ticket for hold-Hamlet").didNotRun("Seats.free");
  }

  // tag::cancel[]
  @Test
  void a_seat_is_free_again_when_the_customer_leaves(TestEngine engine) {
    var order = engine.start(TicketOrder.class, "order-7", "Hamlet");

    order.cancel("the customer closed the window");

    assertThat(order).isCancelled().ran("Seats.free").once();
    assertThat(theatre.held).isEmpty();
  }

  // end::cancel[]

  @Test
  void a_seat_is_free_again_after_a_quarter_of_an_hour(TestEngine engine) {
    var order = engine.start(TicketOrder.class, "order-7", "Hamlet");

    assertThatThrownBy(order::result).isInstanceOf(WorkflowTimedOut.class);
    assertThat(order.status()).isEqualTo(Status.TIMED_OUT);
    assertThat(theatre.held).isEmpty();
    assertThat(engine.now()).isEqualTo(TestEngine.START.plus(Duration.ofMinutes(15)));
  }

  @Test
  void whoever_terminates_an_order_has_to_free_the_seat_alone(TestEngine engine) {
    var order = engine.start(TicketOrder.class, "order-7", "Hamlet");

    order.terminate("the theatre burns", false);

    assertThat(order.status()).isEqualTo(Status.TERMINATED);
    assertThat(theatre.held).containsExactly("hold-Hamlet");
  }

  // tag::crash[]
  @CrashEverywhere
  void a_seat_is_free_again_wherever_the_engine_dies(TestEngine engine) {
    var order = engine.start(TicketOrder.class, "order-7", "Hamlet");

    order.cancel("the customer closed the window");

    assertThat(order).isCancelled().ran("Seats.free").once();
  }

  // end::crash[]

  // ---- branches that end together

  @Test
  void a_desk_is_complete(TestEngine engine) {
    var onboarding = engine.start(Onboarding.class, "ada", "Ada");

    assertThat(onboarding).completedWith(new Desk("ada@", "laptop of Ada", "badge of Ada"));
  }

  @Test
  void without_an_account_there_is_no_desk(TestEngine engine) {
    engine.replace(
        "Office.openAccount",
        _ -> {
          throw new TerminalFailure("the name is taken");
        });
    engine.replace(
        "Office.orderLaptop",
        _ -> {
          throw new IllegalStateException("the shop is closed"); // tried again, until nobody waits
        });
    var onboarding = engine.start(Onboarding.class, "ada", "Ada");

    assertThat(onboarding).failedWith("the name is taken").didNotRun("Office.orderLaptop");
    assertThat(engine.now()).isEqualTo(TestEngine.START);
  }

  @Test
  void suppliers_without_an_offer_are_left_out(TestEngine engine) {
    var request = new Request("chair", List.of("north", "closed", "south"));
    var comparison = engine.start(PriceComparison.class, "chair", request);

    assertThat(comparison).completedWith(List.of(new Offer("north", 500), new Offer("south", 500)));
  }

  // ---- an activity that is told

  @Test
  void a_report_that_takes_too_long_is_made_in_short(TestEngine engine) {
    engine.replace(
        "Reports.inFull",
        call -> {
          call.takes(Duration.ofHours(3));
          return "too late";
        });
    var report = engine.start(YearEnd.class, "2029", 2029);

    assertThat(report).completedWith("sums of 2029");
    assertThat(engine.now()).isEqualTo(TestEngine.START.plus(Duration.ofHours(2)));
  }

  @Test
  void a_statement_is_cancelled_with_its_report(TestEngine engine) throws Exception {
    var report = engine.start(YearEnd.class, "2029", 2029);
    warehouse.executing.await();

    report.cancel("the year is not over");

    assertThat(report).isCancelled();
    assertThat(warehouse.cancelled.await(10, TimeUnit.SECONDS)).isTrue();
  }

  private static Offer ask(String supplier, String article) {
    if (supplier.equals("closed")) throw new TerminalFailure("no offer");
    return new Offer(supplier, article.length() * 100L);
  }

  /** Remembers which seats are held. */
  private static final class Theatre implements Seats {
    final Set<String> held = new ConcurrentSkipListSet<>();

    @Override
    public String hold(String show) {
      held.add("hold-" + show);
      return "hold-" + show;
    }

    @Override
    public String sell(String hold) {
      held.remove(hold);
      return "ticket for " + hold;
    }

    @Override
    public void free(String hold) {
      held.remove(hold);
    }
  }

  private static final class NewOffice implements Onboarding.Office {
    @Override
    public String openAccount(String colleague) {
      return colleague.toLowerCase(Locale.ROOT) + "@";
    }

    @Override
    public String orderLaptop(String colleague) {
      return "laptop of " + colleague;
    }

    @Override
    public String printBadge(String colleague) {
      return "badge of " + colleague;
    }
  }

  /** Answers long questions only when somebody has given them up. */
  private static final class SlowWarehouse implements Reports.Warehouse {
    final CountDownLatch executing = new CountDownLatch(1);
    final CountDownLatch cancelled = new CountDownLatch(1);

    @Override
    public Reports.Statement prepare(String what) {
      return new Reports.Statement() {
        @Override
        public String execute() throws Exception {
          if (what.startsWith("sums")) return what;
          executing.countDown();
          cancelled.await();
          throw new IllegalStateException("cancelled");
        }

        @Override
        public void cancel() {
          cancelled.countDown();
        }
      };
    }
  }
}
