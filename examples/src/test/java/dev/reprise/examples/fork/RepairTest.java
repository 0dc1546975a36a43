package dev.reprise.examples.fork;

import static dev.reprise.testkit.RepriseAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ErrorCode;
import dev.reprise.Fork;
import dev.reprise.RepriseException;
import dev.reprise.testkit.CrashEverywhere;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.math.BigDecimal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class RepairTest {
  private static final Invoice INVOICE = new Invoice("Grace", 100_00, "USD");
  private static final BigDecimal WRONG = new BigDecimal("9.2");
  private static final BigDecimal RIGHT = new BigDecimal("0.92");

  @BeforeEach
  void register(TestEngine engine) {
    engine.workflow(new Settlement(_ -> WRONG, (to, cents) -> cents + " paid to " + to));
  }

  // tag::test[]
  @Test
  void a_settlement_goes_on_with_the_right_rate(TestEngine engine) {
    var wrong = engine.start(Settlement.class, "invoice-7", INVOICE);

    var mended = Repair.withRate(engine, "invoice-7", RIGHT);
    mended.signal(Settlement.RELEASE, "ops");

    assertThat(mended).completedWith("9200 paid to Grace");
    assertThat(wrong).isCancelled().didNotRun("Bank.pay");
  }

  // end::test[]

  @CrashEverywhere(onlyOutcomes = true)
  void the_fork_survives_a_crash(TestEngine engine) {
    engine.start(Settlement.class, "invoice-7", INVOICE);
    engine.awaitQuiet();
    var fork = Fork.of("invoice-7", 2).as("invoice-8").result("Rates.of:1", RIGHT);
    var mended = engine.fork(fork);
    mended.signal(Settlement.RELEASE, "ops");

    assertThat(mended).completedWith("9200 paid to Grace");
  }

  @Test
  void a_settlement_can_be_done_again_with_another_invoice(TestEngine engine) {
    engine.start(Settlement.class, "invoice-7", INVOICE);

    var again = Repair.withInvoice(engine, "invoice-7", new Invoice("Grace", 10_00, "USD"));
    again.signal(Settlement.RELEASE, "ops");

    assertThat(again).completedWith("9200 paid to Grace").ran("Rates.of").once();
  }

  @Test
  void a_closed_run_can_be_forked_and_stays_as_it_is(TestEngine engine) {
    var paid = engine.start(Settlement.class, "invoice-7", INVOICE);
    paid.signal(Settlement.RELEASE, "ops");
    assertThat(paid).completedWith("92000 paid to Grace");
    int events = paid.history().size();

    var again = engine.fork(Fork.of("invoice-7", 2).result("Rates.of:1", RIGHT));
    again.signal(Settlement.RELEASE, "ops");

    assertThat(again).completedWith("9200 paid to Grace");
    assertThat(paid.history()).hasSize(events);
  }

  @Test
  void there_must_be_such_an_event(TestEngine engine) {
    engine.start(Settlement.class, "invoice-7", INVOICE);

    assertThatThrownBy(() -> engine.fork("invoice-7", 99))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R130));
  }
}
