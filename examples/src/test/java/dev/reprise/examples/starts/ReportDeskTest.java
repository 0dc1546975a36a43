package dev.reprise.examples.starts;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.ListQuery;
import dev.reprise.QueueLimits;
import dev.reprise.RunDescription;
import dev.reprise.Status;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class ReportDeskTest {
  private final List<String> made = new CopyOnWriteArrayList<>();

  @BeforeEach
  void register(TestEngine engine) {
    engine.workflow(
        new Report(
            what -> {
              made.add(what);
              return "report of " + what;
            }));
  }

  // tag::queue[]
  @Test
  void urgent_reports_begin_first(TestEngine engine) {
    engine.worker("reports", 10);
    engine.limit("reports", QueueLimits.none().paused());
    var desk = new ReportDesk(engine);
    desk.ask("r-1", "acme", false);
    desk.ask("r-2", "acme", false);
    var urgent = desk.ask("r-3", "bolt", true);
    engine.awaitQuiet();
    assertThat(engine.describe("r-3").status()).isEqualTo(Status.QUEUED);

    engine.limit("reports", QueueLimits.none().concurrency(1)); // one report at a time

    assertThat(urgent).completedWith("report of bolt");
    engine.awaitQuiet();
    assertThat(made).containsExactly("bolt", "acme", "acme");
  }

  // end::queue[]

  @Test
  void a_report_that_nobody_begins_can_be_found_and_cancelled(TestEngine engine) {
    var report = new ReportDesk(engine).ask("r-1", "acme", false);
    engine.awaitQuiet();

    assertThat(engine.list(ListQuery.all().where("status = QUEUED")))
        .extracting(RunDescription::workflowId)
        .containsExactly("r-1");
    assertThat(engine.describe("r-1").waitingFor())
        .anySatisfy(waiting -> assertThat(waiting.note()).contains("nobody serves it"));
    report.cancel("not needed");
    assertThat(report).isCancelled();
    assertThat(made).isEmpty();
  }

  // tag::delay[]
  @Test
  void a_report_of_tomorrow_is_made_tomorrow(TestEngine engine) {
    var begin = engine.now();

    assertThat(new ReportDesk(engine).tomorrow("r-1", "acme")).completedWith("report of acme");

    assertThat(Duration.between(begin, engine.now())).isEqualTo(Duration.ofDays(1));
  }

  // end::delay[]

  @Test
  void a_tenant_has_one_report_at_a_time(TestEngine engine) {
    engine.worker("reports", 10);
    engine.limit("reports", QueueLimits.none().paused());
    var desk = new ReportDesk(engine);

    var first = desk.once("r-1", "acme");
    var second = desk.once("r-2", "acme");
    engine.limit("reports", QueueLimits.none());

    assertThat(second.workflowId()).isEqualTo("r-1");
    assertThat(first).completedWith("report of acme");
    assertThat(desk.once("r-3", "acme").workflowId()).isEqualTo("r-3");
  }

  // tag::debounce[]
  @Test
  void many_changes_make_one_report_of_the_last(TestEngine engine) {
    engine.autoSkip(false); // time passes only when the test says so
    var desk = new ReportDesk(engine);
    var first = desk.changed("plan", 1);
    engine.advance(Duration.ofSeconds(50));
    desk.changed("plan", 2);
    engine.advance(Duration.ofSeconds(50));
    desk.changed("plan", 3);
    engine.advance(Duration.ofSeconds(60));

    assertThat(first).completedWith("report of plan in version 3");
    assertThat(made).hasSize(1);
  }
  // end::debounce[]
}
