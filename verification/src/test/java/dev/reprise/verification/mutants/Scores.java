package dev.reprise.verification.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** How many mutants the tests noticed, package by package, from the table that PIT writes. */
final class Scores {

  /** A mutant that crashes, hangs or cannot even be loaded is noticed as well. */
  private static final Set<String> UNNOTICED = Set.of("SURVIVED", "NO_COVERAGE");

  private Scores() {}

  private record Score(int mutants, int noticed, int slow, int untested) {
    Score plus(String status) {
      return new Score(
          mutants + 1,
          noticed + (UNNOTICED.contains(status) ? 0 : 1),
          slow + (status.equals("TIMED_OUT") ? 1 : 0),
          untested + (status.equals("NO_COVERAGE") ? 1 : 0));
    }

    Score plus(Score other) {
      return new Score(
          mutants + other.mutants,
          noticed + other.noticed,
          slow + other.slow,
          untested + other.untested);
    }

    String line(String name) {
      return "%-10s %7d %7d %6.1f %% %9d %9d %9d"
          .formatted(
              name,
              mutants,
              noticed,
              100.0 * noticed / mutants,
              slow,
              mutants - noticed - untested,
              untested);
    }
  }

  public static void main(String[] arguments) throws IOException {
    table(Files.readAllLines(Path.of(arguments[0]))).forEach(System.out::println);
  }

  /** A line is: file, class, mutator, method, line, status, test. */
  static List<String> table(List<String> mutants) {
    var scores = new TreeMap<String, Score>();
    var nothing = new Score(0, 0, 0, 0);
    for (var mutant : mutants) {
      var cells = mutant.split(",");
      scores.merge(packageOf(cells[1]), nothing.plus(cells[5]), Score::plus);
    }
    var lines = new ArrayList<String>();
    lines.add("package    mutants  killed    score timed out  survived  untested");
    scores.forEach((name, score) -> lines.add(score.line(name)));
    lines.add(scores.values().stream().reduce(nothing, Score::plus).line("all"));
    return lines;
  }

  /** The last part of it, such as {@code replay}. */
  private static String packageOf(String type) {
    var whole = type.substring(0, type.lastIndexOf('.'));
    return whole.substring(whole.lastIndexOf('.') + 1);
  }
}
