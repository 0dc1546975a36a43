package dev.reprise.verification.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** That the workloads run and count right, with sizes too small to measure anything. */
class BenchTest {
  @TempDir Path folder;

  private final Report report =
      new Report(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "MEMORY"})
  void a_closed_loop_counts_workflows_and_their_steps(StoreKind kind) throws Exception {
    var workload = new ClosedLoop(List.of(1, 20), Duration.ofMillis(50), Duration.ofMillis(200));

    workload.measure(new Site(kind, folder), report);

    assertThat(report.results())
        .extracting(Result::setting)
        .startsWith("1 in flight", "20 in flight");
    assertThat(report.results().subList(0, 2))
        .allSatisfy(
            result -> {
              assertThat(result.figures())
                  .containsKeys("steps/s", "workflows/s", "p50 ms", "p99 ms");
              assertThat(result.figures().values())
                  .extracting(Spread::rounds)
                  .containsOnly(ClosedLoop.ROUNDS);
            });
  }

  @Test
  void the_most_clients_are_compared_with_the_raw_limit() throws Exception {
    var workload = new ClosedLoop(List.of(20, 1), Duration.ofMillis(50), Duration.ofMillis(200));

    workload.measure(new Site(StoreKind.SQLITE, folder), report);

    assertThat(report.results())
        .extracting(Result::setting)
        .containsExactly(
            "20 in flight", "raw, 20 rows a commit", "1 in flight", "20 in flight", "1 in flight");
    var figures = report.results().getFirst().figures();
    assertThat(figures.get("events/s").max())
        .isCloseTo(figures.get("steps/s").max() * 12 / 10, Percentage.withPercentage(1));
    assertThat(figures.get("share of raw").rounds()).isEqualTo(ClosedLoop.ROUNDS);
    assertThat(report.results().get(2).figures()).doesNotContainKey("share of raw");
    for (int one : List.of(0, 2)) {
      var bare = report.results().get(one).figures();
      assertThat(bare.get("bare steps/s").min()).isPositive();
      assertThat(bare.get("share of bare").rounds()).isEqualTo(ClosedLoop.ROUNDS);
    }
    assertThat(report.results().subList(3, 5))
        .allSatisfy(
            cost -> {
              assertThat(cost.workload()).isEqualTo(ClosedLoop.COST);
              assertThat(cost.figures()).containsKeys("engine cores", "CPU µs/step");
            });
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "MEMORY"})
  void a_replay_is_measured_without_running_a_step_again(StoreKind kind) throws Exception {
    new Replay(50, 1, 3).measure(new Site(kind, folder), report);

    var figures = report.results().getFirst().figures();
    assertThat(figures.get("replay events/s").rounds()).isEqualTo(3);
    assertThat(figures.containsKey("recovered events/s")).isEqualTo(kind == StoreKind.SQLITE);
  }

  @Test
  void without_a_database_one_workflow_at_a_time_has_no_yardstick() throws Exception {
    new OneAtATime(2, 3, 4, 5).measure(new Site(StoreKind.MEMORY, folder), report);

    assertThat(report.results()).extracting(Result::setting).containsExactly("1 step", "10 steps");
    assertThat(report.results().getLast().figures()).containsOnlyKeys("p50 ms", "p99 ms");
  }

  @Test
  void bare_commits_write_as_many_rows_as_the_steps_they_are_compared_with() throws Exception {
    new OneAtATime(2, 3, 4, 5).measure(new Site(StoreKind.SQLITE, folder), report);

    assertThat(report.results())
        .extracting(Result::setting)
        .containsExactly("1 step", "10 steps", "11 bare commits", "11 bare autocommits");
    assertThat(report.results().get(1).figures().get("engine/bare").rounds()).isEqualTo(3);
    assertThat(report.results().get(1).figures().get("engine/autocommit").rounds()).isEqualTo(3);
    assertThat(count("SELECT count(*) FROM runs WHERE status = 'COMPLETED'"))
        .isEqualTo(2 + 3 * (4 + 5) + 2 + 5 + 3 * 5); // alone; two to read the rows from; by turns
    assertThat(count("SELECT count(*) FROM bare_events")).isEqualTo(11 * (5 + 3 * 5));
    assertThat(count("SELECT count(*) FROM bare_events_in_two")).isEqualTo(11 * (5 + 3 * 5));
    assertThat(count(BYTES_OF_LAST_RUN.formatted("bare_events")))
        .isEqualTo(count(BYTES_OF_LAST_RUN.formatted("events")));
  }

  private static final String BYTES_OF_LAST_RUN =
      """
      SELECT sum(length(site)) + sum(length(attributes)) + sum(length(value)) FROM %1$s
       WHERE run_key = (SELECT max(run_key) FROM %1$s) AND idx BETWEEN 2 AND 11
      """;

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "MEMORY"})
  void a_fan_out_is_measured_as_often_as_asked(StoreKind kind) throws Exception {
    new FanOut(30, 1, 4).measure(new Site(kind, folder), report);

    assertThat(report.results()).hasSize(1);
    assertThat(report.results().getFirst().setting()).isEqualTo("30 parallel steps");
    assertThat(report.results().getFirst().figures().get("seconds").rounds()).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "MEMORY"})
  void a_long_run_compares_its_first_and_last_steps(StoreKind kind) throws Exception {
    new LongRun(List.of(50, 1_000), 10, 2).measure(new Site(kind, folder), report);

    assertThat(report.results())
        .extracting(Result::setting)
        .containsExactly("50 steps", "1,000 steps");
    assertThat(report.results().getLast().figures().get("last/first").rounds()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "MEMORY"})
  void parked_runs_stay_in_a_small_process_and_wake_up(StoreKind kind) throws Exception {
    new ParkedRuns(300, 20, "64m").measure(new Site(kind, folder), report);

    var figures = report.results().getFirst().figures();
    assertThat(figures.get("in memory").median()).isEqualTo(300);
    assertThat(figures.get("signalled").median()).isEqualTo(20);
  }

  @Test
  void the_command_prints_json_and_removes_its_files() throws IOException {
    var out = new ByteArrayOutputStream();

    int exit = bench(out, "--store", "sqlite", "--only", "w3", "--json", "--dir", "" + folder);

    assertThat(exit).isZero();
    var json = JsonMapper.shared().readTree(out.toByteArray());
    assertThat(json.at("/machine/command").asString()).startsWith("./reprise bench --store sqlite");
    assertThat(json.at("/results/0/workload").asString()).isEqualTo("W3");
    assertThat(json.at("/results/0/figures/seconds/rounds").asInt()).isEqualTo(20);
    try (var left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void what_the_command_does_not_know_is_a_usage_error() {
    var out = new ByteArrayOutputStream();

    assertThat(bench(out, "--only", "W9")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(bench(out, "--store", "paper")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(bench(out, "--url", "jdbc:sqlite:a.db")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(bench(out, "--clients", "10,0")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(bench(out, "--parked", "0")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(bench(out, "--heap", "much")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(bench(out, "--seconds", "0")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(out.size()).isZero();
  }

  @Test
  void a_spread_is_the_median_and_the_range() {
    assertThat(Spread.of(List.of(3.0, 1.0, 2.0))).hasToString("2.00 (1.00..3.00)");
    assertThat(Spread.of(List.of(1.0, 4.0)).median()).isEqualTo(2.5);
    assertThat(Spread.of(List.of(1234.5))).hasToString("1,235");
  }

  @Test
  void a_percentile_is_what_so_many_did_not_exceed() {
    var latencies = new Latencies();
    for (int millis = 100; millis >= 1; millis--) latencies.add(millis * 1_000_000L);

    assertThat(latencies.percentile(50)).isEqualTo(50);
    assertThat(latencies.percentile(99)).isEqualTo(99);
    assertThat(latencies.percentile(100)).isEqualTo(100);
  }

  private static int bench(OutputStream out, String... arguments) {
    var progress = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    var command =
        new CommandLine(new Bench(new PrintStream(out, true, StandardCharsets.UTF_8), progress));
    return command.setErr(new java.io.PrintWriter(progress)).execute(arguments);
  }

  private long count(String sql) throws IOException, SQLException {
    try (var files = Files.walk(folder)) {
      var file = files.filter(path -> path.toString().endsWith(".db")).findFirst().orElseThrow();
      try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
          var statement = connection.createStatement();
          var columns = statement.executeQuery(sql)) {
        return columns.getLong(1);
      }
    }
  }
}
