package dev.reprise.examples.inside;

import static dev.reprise.testkit.RepriseAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.testkit.CrashEverywhere;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class LoanDeskTest {
  private static final Loan LOAN = new Loan("Ada", 20_000_00);

  @BeforeEach
  void register(TestEngine engine) {
    engine.workflow(new LoanApplication(String::length));
  }

  @Test
  void a_loan_is_granted_when_all_documents_are_there(TestEngine engine) {
    var desk = new LoanDesk(engine);
    var application = engine.start(LoanApplication.class, "loan-7", LOAN);

    assertThat(desk.handIn("loan-7", "passport")).isEqualTo(1);
    assertThat(desk.handIn("loan-7", "payslip")).isZero();
    application.signal(LoanApplication.DECISION, true);

    assertThat(application).completedWith(true);
  }

  // tag::test[]
  @Test
  void the_desk_sees_which_documents_are_there(TestEngine engine) {
    var desk = new LoanDesk(engine);
    engine.start(LoanApplication.class, "loan-7", LOAN);
    desk.handIn("loan-7", "passport");

    assertThat(desk.has("loan-7", "passport")).isTrue();
    assertThat(desk.has("loan-7", "payslip")).isFalse();
    assertThat(desk.stage("loan-7")).contains("waiting for documents");
  }

  // end::test[]

  @Test
  void also_when_the_run_is_not_in_memory_and_when_it_is_closed(TestEngine engine) {
    var desk = new LoanDesk(engine);
    var application = engine.start(LoanApplication.class, "loan-7", LOAN);
    desk.handIn("loan-7", "passport");
    engine.evict("loan-7");

    assertThat(desk.has("loan-7", "passport")).isTrue();

    desk.handIn("loan-7", "payslip");
    application.signal(LoanApplication.DECISION, false);
    assertThat(application).completedWith(false);
    assertThat(desk.has("loan-7", "payslip")).isTrue();
  }

  // tag::refused[]
  @Test
  void a_document_is_handed_in_once(TestEngine engine) {
    var desk = new LoanDesk(engine);
    var application = engine.start(LoanApplication.class, "loan-7", LOAN);
    desk.handIn("loan-7", "passport");
    int events = application.history().size();

    assertThatThrownBy(() -> desk.handIn("loan-7", "passport"))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R126))
        .hasMessageContaining("there already");
    assertThat(application.history()).hasSize(events); // nothing was recorded
  }

  // end::refused[]

  @Test
  void loans_are_found_by_what_they_are_about(TestEngine engine) {
    engine.start(LoanApplication.class, "loan-1", new Loan("Ada", 300_00));
    engine.start(LoanApplication.class, "loan-2", LOAN);
    engine.start(LoanApplication.class, "loan-3", new Loan("Bob", 90_000_00));

    assertThat(new LoanDesk(engine).largeLoans("Ada"))
        .extracting(RunDescription::workflowId)
        .containsExactly("loan-2");
  }

  @Test
  void it_can_be_seen_what_an_application_waits_for(TestEngine engine) {
    var desk = new LoanDesk(engine);
    engine.replace(
        "Rating.of",
        _ -> {
          throw new IllegalStateException("no answer");
        });
    engine.start(LoanApplication.class, "loan-7", LOAN);
    assertThat(desk.waitsFor("loan-7").getFirst()).contains("LoanApplication.java:");

    desk.handIn("loan-7", "passport");
    desk.handIn("loan-7", "payslip");

    assertThat(desk.waitsFor("loan-7").getFirst())
        .contains("activity Rating.of", "attempt 2", "no answer", "due 2030-01-01T00:00:0");
  }

  @CrashEverywhere
  void a_document_that_was_taken_is_there_wherever_the_engine_dies(TestEngine engine) {
    var desk = new LoanDesk(engine);
    var application = engine.start(LoanApplication.class, "loan-7", LOAN);
    engine.update("loan-7", LoanApplication.ADD, "passport", "m1");
    engine.update("loan-7", LoanApplication.ADD, "payslip", "m2");
    assertThat(desk.has("loan-7", "payslip")).isTrue();
    application.signal(LoanApplication.DECISION, true);

    assertThat(application).completedWith(true);
  }
}
