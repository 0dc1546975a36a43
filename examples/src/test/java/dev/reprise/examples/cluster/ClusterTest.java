package dev.reprise.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.reprise.Handle;
import dev.reprise.HistoryEvent;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowCancelled;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.testpostgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Several engines and clients on a real PostgreSQL, as different processes have them. */
class ClusterTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final String url = PostgresServer.shared().createDatabase();

  private Engine depot(String name) {
    return Depot.engine(url, parcel -> name);
  }

  @Test
  void a_delivery_goes_on_in_another_engine_when_its_own_closes() throws Exception {
    try (var second = closingFirst();
        var desk = new ScanDesk(url)) {
      desk.scan("parcel-7", "door", "scan-2");

      var delivery = second.handle(Delivery.class, "parcel-7");
      assertThat(delivery.result(LIMIT)).containsExactly("first", "rail", "door");
    }
  }

  /** The second engine is there before the first one goes. */
  private Engine closingFirst() {
    try (var first = depot("first")) {
      var delivery = first.start(Delivery.class, "parcel-7", "parcel-7");
      var second = depot("second");
      delivery.signal(Delivery.SCAN, "rail", "scan-1");
      return second;
    }
  }

  @Test
  void a_parcel_that_was_stopped_is_handed_in_again() throws Exception {
    try (var depot = depot("first");
        var desk = new ScanDesk(url)) {
      var stopped = desk.handIn("parcel-7");
      desk.stop("parcel-7");
      assertThatThrownBy(() -> stopped.result(LIMIT)).isInstanceOf(WorkflowCancelled.class);

      var again = desk.handInAgain("parcel-7");

      assertThat(again.runId()).isNotEqualTo(stopped.runId());
      assertThat(desk.handInAgain("parcel-7").runId()).isEqualTo(again.runId());
      desk.scan("parcel-7", "rail", "scan-1");
      desk.scan("parcel-7", "door", "scan-2");
      assertThat(again.result(LIMIT)).containsExactly("first", "rail", "door");
      assertThat(depot.runs("parcel-7")).hasSize(2);
    }
  }

  @Test
  void a_process_that_is_told_to_end_hands_its_runs_over() throws Exception {
    var process = process();
    try (var desk = new ScanDesk(url)) {
      var delivery = desk.handIn("parcel-7");
      desk.scan("parcel-7", "rail", "scan-1");
      process.destroy();

      try (var _ = depot("second")) {
        desk.scan("parcel-7", "door", "scan-2");
        var stations = delivery.result(LIMIT);
        assertThat(stations.getFirst()).isIn("second", "depot of process " + process.pid());
        assertThat(stations).endsWith("rail", "door");
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private Process process() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var classes = System.getProperty("java.class.path");
    var process =
        new ProcessBuilder(java, "-cp", classes, Depot.class.getName(), url)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.inputReader().readLine()).isEqualTo("ready");
    return process;
  }

  @Test
  void an_engine_runs_on_the_pool_of_its_application() throws Exception {
    var config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(4);
    try (var pool = new HikariDataSource(config);
        var engine = Depot.engine(pool, parcel -> "door")) {
      assertThat(engine.start(Delivery.class, "parcel-7", "parcel-7").result(LIMIT))
          .containsExactly("door");
      assertThat(Supervision.engines(engine)).hasSize(1);
    }
  }

  @Test
  void a_scan_that_is_sent_again_arrives_once() throws Exception {
    try (var _ = depot("first");
        var desk = new ScanDesk(url)) {
      var delivery = desk.handIn("parcel-7");

      for (int i = 0; i < 3; i++) desk.scan("parcel-7", "rail", "scan-1");
      desk.handIn("parcel-7").signal(Delivery.SCAN, "door", "scan-2");

      assertThat(delivery.result(LIMIT)).containsExactly("first", "rail", "door");
    }
  }

  @Test
  void a_delivery_can_be_stopped_from_anywhere() {
    try (var engine = depot("first");
        var desk = new ScanDesk(url)) {
      var delivery = desk.handIn("parcel-7");

      desk.stop("parcel-7");

      assertThatThrownBy(() -> delivery.result(LIMIT))
          .isInstanceOf(WorkflowCancelled.class)
          .hasMessageContaining("the sender wants it back");
      assertThat(engine.describe("parcel-7").status()).isEqualTo(Status.CANCELLED);
    }
  }

  @Test
  void several_applications_share_a_database() throws Exception {
    try (var _ = depot("first");
        var billing = billing();
        var desk = new ScanDesk(url)) {
      var delivery = desk.handIn("parcel-7");
      desk.scan("parcel-7", "door", "scan-1");

      assertThat(billing.start("Billing", "bill-7", "parcel-7").result(LIMIT))
          .isEqualTo("bill of parcel-7");
      assertThat(delivery.result(LIMIT)).containsExactly("first", "door");
    }
  }

  private Engine billing() {
    return Reprise.open(url)
        .workflow("Billing", String.class, String.class, (_, parcel) -> "bill of " + parcel)
        .start();
  }

  @Test
  void open_deliveries_are_found_by_their_input_and_counted() throws Exception {
    try (var engine = depot("first");
        var desk = new ScanDesk(url)) {
      desk.handIn("parcel-7");
      var done = desk.handIn("parcel-8");
      desk.scan("parcel-8", "door", "scan-1");
      done.result(LIMIT);

      assertThat(Supervision.openDeliveries(engine, "parcel-7")).containsExactly("parcel-7");
      assertThat(Supervision.openDeliveries(engine, "parcel-8")).isEmpty();
      assertThat(Supervision.openDeliveries(engine, "x' or status = open or input = '")).isEmpty();
      assertThat(Supervision.lastDay(engine)).isEqualTo(Map.of("RUNNING", 1L, "COMPLETED", 1L));
    }
  }

  @Test
  void a_blocked_run_is_found_and_goes_on_when_its_code_is_mended() throws Exception {
    Handle<List<String>> delivery;
    try (var broken =
            Reprise.open(url).workflow("Delivery", String.class, List.class, fault()).start();
        var desk = new ScanDesk(url)) {
      delivery = desk.handIn("parcel-7");
      assertThatThrownBy(() -> delivery.result(LIMIT)).isInstanceOf(WorkflowBlocked.class);
      assertThat(Supervision.blocked(broken))
          .extracting(run -> run.workflowId(), run -> run.blockedBy())
          .containsExactly(tuple("parcel-7", "java.lang.AssertionError: no label"));
    }
    try (var mended = depot("door")) {
      assertThat(Supervision.resumeAll(mended, "Delivery")).isEqualTo(1);

      var again = mended.handle(Delivery.class, "parcel-7");
      assertThat(again.result(LIMIT)).containsExactly("door");
      assertThat(again.history())
          .extracting(HistoryEvent::type)
          .containsExactly(
              "WorkflowStarted", "WorkflowResumed", "ActivityCompleted", "WorkflowCompleted");
    }
  }

  private static Workflow<String, List<String>> fault() {
    return (_, _) -> {
      throw new AssertionError("no label");
    };
  }
}
