package dev.reprise.verification.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.testpostgres.PostgresServer;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The workloads that grow: more in flight, more engines, more steps, more closed runs. */
class BenchScaleTest {
  @TempDir Path folder;

  private final Report report =
      new Report(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "MEMORY"})
  void a_round_lasts_until_all_have_had_a_workflow(StoreKind kind) throws Exception {
    var workload = new Scale(List.of(1, 500), Duration.ZERO, Duration.ofMillis(30));

    workload.measure(new Site(kind, folder), report);

    assertThat(report.results())
        .extracting(Result::setting)
        .containsExactly("1 in flight", "500 in flight");
    assertThat(report.results())
        .allSatisfy(
            result -> {
              assertThat(result.figures().get("steps/s").min()).isPositive();
              assertThat(result.figures().get("p50 ms").rounds()).isEqualTo(Scale.ROUNDS);
            });
  }

  @Test
  void two_engines_share_a_database_and_the_clients() throws Exception {
    new ManyEngines(20, Duration.ofMillis(100), Duration.ofMillis(800), 1)
        .measure(postgres(), report);

    assertThat(report.results())
        .extracting(Result::setting)
        .containsExactly("20 in flight, 20 by each of 1", "20 in flight, 10 by each of 2");
    var figures = report.results().getLast().figures();
    assertThat(figures.get("steps/s").median()).isPositive();
    assertThat(figures.get("two/one").median()).isPositive();
  }

  @Test
  void a_store_for_one_engine_has_no_figures_for_two() throws Exception {
    new ManyEngines(20, Duration.ZERO, Duration.ofMillis(10), 1)
        .measure(new Site(StoreKind.SQLITE, folder), report);

    assertThat(report.results()).isEmpty();
  }

  @Test
  void short_runs_are_measured_more_often_than_long_ones() throws Exception {
    new LongRun(LongRun.ALL_LENGTHS, List.of(10, 2_000), 10, 2)
        .measure(new Site(StoreKind.MEMORY, folder), report);

    assertThat(report.results()).extracting(Result::workload).containsOnly("long");
    assertThat(report.results())
        .extracting(result -> result.figures().get("µs/step").rounds())
        .containsExactly(100, 2);
  }

  @Test
  void what_steps_return_is_known_also_where_the_sum_is_too_large() {
    int sum = 0;
    for (int i = 0; i < 100_000; i++) sum += i;

    assertThat(Workflows.sumBelow(100_000)).isEqualTo(sum);
    assertThat(Workflows.sumBelow(10)).isEqualTo(45);
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "POSTGRES"})
  void steps_are_compared_with_those_among_fewer_closed_runs(StoreKind kind) throws Exception {
    new ClosedRuns(List.of(10, 50), 5, 2, 2).measure(site(kind), report);

    assertThat(report.results())
        .extracting(Result::setting)
        .containsExactly("10 closed runs", "50 closed runs");
    var first = report.results().getFirst().figures();
    assertThat(first.get("times first at 1").median()).isCloseTo(1, within(1e-9));
    assertThat(report.results().getLast().figures().get("times first at 5").rounds()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "POSTGRES"})
  void copied_runs_are_as_an_engine_would_have_left_them(StoreKind kind) throws Exception {
    try (var database = site(kind).create()) {
      var workflow = new Workflows.Sequence(new NoOps());
      try (var engine = Database.reprise(database.url()).workflow(workflow).start()) {
        engine.start(Workflows.Sequence.class, "the-model", 3).result();
      }

      Backlog.add(database.url(), 7);

      try (var store = Reprise.open(database.url(), new StoreProvider.Options(false, true))) {
        assertThat(Doctor.examine(store)).isEmpty();
      }
      try (var engine = Database.reprise(database.url()).workflow(workflow).start()) {
        assertThat(engine.handle(Workflows.Sequence.class, "closed-7").result()).isEqualTo(3);
        assertThat(engine.history("closed-7")).hasSize(5);
        assertThat(engine.start(Workflows.Sequence.class, "next", 3).result()).isEqualTo(3);
      }
    }
  }

  private Site site(StoreKind kind) {
    return kind == StoreKind.POSTGRES ? postgres() : new Site(kind, folder);
  }

  private Site postgres() {
    var url = PostgresServer.shared().createDatabase();
    return new Site(StoreKind.POSTGRES, folder, PostgresDatabases.on(url, folder));
  }
}
