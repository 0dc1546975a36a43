package dev.reprise.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.reprise.Context;
import dev.reprise.Name;
import dev.reprise.Signal;
import dev.reprise.Was;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.gate.GateReport;
import dev.reprise.engine.gate.ReplayGate;
import dev.reprise.engine.gate.WorkflowReport;
import dev.reprise.engine.replay.Verdict;
import dev.reprise.engine.store.MemoryStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplayGateTest {
  private static final Signal<String> GO = Signal.of("go", String.class);

  private final MemoryStore store = new MemoryStore();

  /** The code of the last release: its runs are closed if they are told to go. */
  private static final Workflow<String, String> YESTERDAY =
      (ctx, parcel) -> {
        ctx.run("fetch", () -> {});
        return parcel + ctx.receive(GO);
      };

  private static final Workflow<String, String> CARELESS =
      (ctx, parcel) -> {
        ctx.run("weigh", () -> {});
        ctx.run("fetch", () -> {});
        return parcel + ctx.receive(GO);
      };

  private static final Workflow<String, String> CAREFUL =
      (ctx, parcel) -> {
        if (ctx.patched("weigh")) ctx.run("weigh", () -> {});
        ctx.run("fetch", () -> {});
        return parcel + ctx.receive(GO);
      };

  @SuppressWarnings("InfiniteLoopStatement")
  private static final Workflow<String, String> STUCK =
      (ctx, parcel) -> {
        ctx.run("fetch", () -> {});
        while (!Thread.currentThread().isInterrupted()) Thread.onSpinWait();
        return parcel;
      };

  @Name("Transport")
  @Was("Shipment")
  static final class Renamed implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String parcel) throws Exception {
      return YESTERDAY.run(ctx, parcel);
    }
  }

  // ---- what is found

  @Test
  void runs_that_the_code_follows_are_counted() {
    record("Shipment", 3, 2);

    var report = check("Shipment", CAREFUL);

    assertThat(report.follows()).isTrue();
    assertThat(report.isComplete()).isTrue();
    assertThat(only(report).followed()).isEqualTo(5);
    assertThat(report.text()).contains("The code follows all of 5 runs.");
  }

  @Test
  void a_departure_is_told_once_for_all_runs_of_a_line() {
    record("Shipment", 3, 2);

    var report = check("Shipment", CARELESS);

    assertThat(report.follows()).isFalse();
    assertThat(only(report).departed()).isEqualTo(5);
    assertThat(only(report).departures()).hasSize(1);
    var departure = only(report).departures().getFirst();
    assertThat(departure.line()).startsWith("ReplayGateTest.java:");
    assertThat(departure.runs()).isEqualTo(5);
    assertThat(departure.followed()).isEqualTo(1);
    assertThat(departure.others()).hasSize(4).doesNotContain(departure.workflowId());
    assertThat(report.text())
        .contains("Shipment departs from its history at ReplayGateTest.java:", "in 5 runs")
        .containsPattern(
            "recorded as #2: ActivityCompleted activity fetch .*ReplayGateTest.java:\\d")
        .containsPattern("the code now: +activity weigh .*ReplayGateTest.java:\\d")
        .contains("The code does not follow 5 of 5 runs.");
  }

  @Test
  void code_that_hangs_is_told_with_its_line_and_not_tried_for_ever() {
    record("Shipment", 5, 0);

    var gate = new ReplayCheck().workflow("Shipment", String.class, String.class, STUCK);
    var report = gate.patience(Duration.ofMillis(50)).checkDatabase(store, (_, _) -> {});

    assertThat(only(report).hung()).isEqualTo(3);
    assertThat(only(report).skipped()).isEqualTo(2);
    assertThat(only(report).departures().getFirst().line()).startsWith("ReplayGateTest.java:");
    assertThat(report.follows()).isFalse();
  }

  @Test
  void runs_without_code_are_not_checked_and_told() {
    record("Shipment", 2, 0);
    record("Invoice", 3, 1);

    var report = check("Shipment", YESTERDAY);

    assertThat(report.follows()).isTrue();
    assertThat(report.isComplete()).isFalse();
    assertThat(report.workflows())
        .extracting(WorkflowReport::workflow, WorkflowReport::known, WorkflowReport::skipped)
        .containsExactly(tuple("Invoice", false, 3L), tuple("Shipment", true, 0L));
    assertThat(report.text()).contains("Invoice is not known to this code.");
  }

  @Test
  void runs_under_a_former_name_are_checked() {
    record("Shipment", 2, 1);

    var report = new ReplayCheck().workflow(new Renamed()).checkDatabase(store, (_, _) -> {});

    assertThat(only(report).workflow()).isEqualTo("Transport");
    assertThat(only(report).followed()).isEqualTo(3);
  }

  // ---- which runs

  @Test
  void open_runs_are_read_page_by_page_and_each_is_checked_once() {
    record("Shipment", 250, 0);
    Map<String, Verdict> verdicts = new HashMap<>();

    var report =
        new ReplayCheck()
            .workflow("Shipment", String.class, String.class, YESTERDAY)
            .checkDatabase(store, (run, verdict) -> verdicts.put(run.workflowId(), verdict));

    assertThat(only(report).followed()).isEqualTo(250);
    assertThat(verdicts)
        .hasSize(250)
        .allSatisfy((_, each) -> assertThat(each).isInstanceOf(Verdict.Follows.class));
  }

  @Test
  void of_the_closed_runs_only_the_newest_are_checked() {
    record("Shipment", 1, 5);

    assertThat(only(gate("Shipment").sample(2).check(store)).followed()).isEqualTo(3);
    assertThat(only(gate("Shipment").sample(0).check(store)).followed()).isEqualTo(1);
  }

  @Test
  void only_the_wanted_workflows_are_checked() {
    record("Shipment", 1, 0);
    record("Invoice", 2, 1);
    var gate =
        Reprise.inMemory()
            .workflow("Shipment", String.class, String.class, YESTERDAY)
            .workflow("Invoice", String.class, String.class, YESTERDAY)
            .gate();

    var report = gate.only(List.of("Invoice")).check(store);

    assertThat(only(report).workflow()).isEqualTo("Invoice");
    assertThat(only(report).followed()).isEqualTo(3);
  }

  @Test
  void a_sample_has_a_limit() {
    assertThatThrownBy(() -> gate("Shipment").sample(1_001)).hasMessageContaining("0..1000");
  }

  // ---- how

  private static ReplayGate gate(String name) {
    return Reprise.inMemory().workflow(name, String.class, String.class, YESTERDAY).gate();
  }

  private GateReport check(String name, Workflow<String, String> code) {
    return new ReplayCheck()
        .workflow(name, String.class, String.class, code)
        .checkDatabase(store, (_, _) -> {});
  }

  private static WorkflowReport only(GateReport report) {
    assertThat(report.workflows()).hasSize(1);
    return report.workflows().getFirst();
  }

  /** Runs that wait, and before them some that are closed. */
  private void record(String name, int open, int closed) {
    var reprise = Reprise.on(store).workflow(name, String.class, String.class, YESTERDAY);
    try (var engine = reprise.start()) {
      for (int i = 0; i < closed; i++) {
        var run = engine.start(name, name + "-closed-" + i, "p");
        run.signal(GO, "!");
        run.result();
      }
      IntStream.range(0, open).forEach(i -> engine.start(name, name + "-open-" + i, "p"));
      IntStream.range(0, open).forEach(i -> awaitFetched(engine, name + "-open-" + i));
    }
  }

  private static void awaitFetched(Engine engine, String id) {
    Tape.until("it waits", () -> engine.history(id).size() == 2);
  }
}
