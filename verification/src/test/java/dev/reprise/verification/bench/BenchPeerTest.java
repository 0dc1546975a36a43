package dev.reprise.verification.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What becomes of the figures of another engine, without one. */
class BenchPeerTest {
  private static final String JSON =
      """
      {"engine": "Other 1.0",
       "results": [
         {"workload": "W1", "store": "Other", "setting": "10 in flight",
          "figures": {
            "steps/s": {"median": 200.0, "min": 100.0, "max": 400.0, "rounds": 4},
            "p50 ms": {"median": 50.0, "min": 40.0, "max": 80.0, "rounds": 4},
            "p99 ms": {"median": "NaN", "min": 40.0, "max": "NaN", "rounds": 4},
            "cores": {"median": 0.5, "min": 0.5, "max": 0.5, "rounds": 4}}}],
       "notes": [{"workload": "W1", "text": "WRONG: one is missing"}],
       "sound": false}
      """;

  @TempDir Path folder;

  @Test
  void what_a_process_prints_is_read_again() {
    var outcome = Outcome.parse(JSON);

    assertThat(outcome.results().getFirst().figures().keySet())
        .containsExactly("steps/s", "p50 ms", "p99 ms", "cores");
    assertThat(outcome.results().getFirst().figures().get("p99 ms").median()).isNaN();
    assertThat(Outcome.parse(outcome.json())).isEqualTo(outcome);
  }

  @Test
  void what_was_found_out_twice_lies_between_the_two() {
    var first = Outcome.parse(JSON);
    var figures = Map.of("steps/s", new Spread(300, 250, 500, 4));
    var again = new Result("W1", "Other", "10 in flight", figures);

    var both = first.with(new Outcome("Other 1.0", List.of(again), first.notes(), true));

    assertThat(both.results()).hasSize(1);
    assertThat(both.results().getFirst().figures())
        .containsEntry("steps/s", new Spread(250, 100, 500, 8))
        .containsEntry("p50 ms", new Spread(50, 40, 80, 4));
    assertThat(both.notes()).isEqualTo(first.notes());
    assertThat(both.sound()).isFalse();
  }

  @Test
  void a_ratio_is_ours_by_theirs_from_the_least_to_the_most() {
    var ours = ours("10 in flight", Map.of("steps/s", new Spread(3_000, 2_000, 4_000, 3)));

    var ratio = Comparison.ratio(ours, Outcome.parse(JSON).results().getFirst());

    assertThat(ratio.store()).isEqualTo("times Other");
    assertThat(ratio.figures()).containsOnly(Map.entry("steps/s", new Spread(15, 5, 40, 3)));
  }

  @Test
  void only_rates_and_times_that_both_have_are_compared() {
    var figures = new LinkedHashMap<String, Spread>();
    for (var name : List.of("steps/s", "p50 ms", "p99 ms", "cores", "share of raw")) {
      figures.put(name, new Spread(10, 10, 10, 4));
    }

    var ratio = Comparison.ratio(ours("10 in flight", figures), theirs());

    assertThat(ratio.figures()).containsOnlyKeys("steps/s", "p50 ms");
    assertThat(ratio.figures().get("p50 ms").median()).isEqualTo(0.2);
  }

  @Test
  void each_case_has_ours_theirs_and_the_ratio_in_this_order() {
    var figures = Map.of("steps/s", new Spread(10, 10, 10, 4));
    var ours = List.of(ours("10 in flight", figures), ours("raw", figures));

    assertThat(Comparison.sideBySide(ours, List.of(theirs())))
        .extracting(Result::setting, Result::store)
        .containsExactly(
            tuple("10 in flight", "postgres"),
            tuple("10 in flight", "Other"),
            tuple("10 in flight", "times Other"),
            tuple("raw", "postgres"));
  }

  @Test
  void what_was_wrong_in_a_process_is_wrong_in_the_report() {
    var report =
        new Report(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    var workload = new ClosedLoop(List.of(10), Duration.ZERO, Duration.ZERO);
    var mine = ours("10 in flight", Map.of("steps/s", new Spread(10, 10, 10, 4)));

    report.addAll(
        workload, new Outcome("Ours", List.of(mine), List.of(), true), Outcome.parse(JSON));

    assertThat(report.isSound()).isFalse();
    assertThat(report.text()).contains("times Other", "WRONG: one is missing", "Other 1.0");
  }

  @Test
  void sizes_reach_another_process_whole() {
    var sizes = new Sizes(List.of(1, 1_000), 2, 8);

    assertThat(Sizes.parse(sizes.arguments())).isEqualTo(sizes);
    assertThat(Sizes.CONTESTED)
        .allSatisfy(id -> assertThat(sizes.workload(id).orElseThrow().id()).isEqualTo(id));
  }

  @Test
  void the_class_path_of_a_peer_is_where_it_was_built() throws Exception {
    var built = Files.createDirectories(folder.resolve("dbos/target"));
    Files.writeString(built.resolve("classpath.txt"), "a.jar\n");

    assertThat(Contest.classPath(folder, "dbos"))
        .isEqualTo(built.resolve("classes") + System.getProperty("path.separator") + "a.jar");
  }

  @Test
  void an_unknown_peer_is_a_usage_error() {
    assertThat(complaint("--peer", "paper")).contains("--peer is dbos, not 'paper'");
    assertThat(complaint("--peer", "dbos")).contains("./reprise bench");
    assertThatThrownBy(() -> Contestants.named("paper")).hasMessageContaining("'paper'");
  }

  private static String complaint(String... arguments) {
    var out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    var errors = new StringWriter();
    var command = new CommandLine(new Bench(out, out)).setErr(new PrintWriter(errors, true));

    assertThat(command.execute(arguments)).isEqualTo(CommandLine.ExitCode.USAGE);
    return errors.toString();
  }

  private static Result ours(String setting, Map<String, Spread> figures) {
    return new Result("W1", "postgres", setting, figures);
  }

  private static Result theirs() {
    return Outcome.parse(JSON).results().getFirst();
  }
}
