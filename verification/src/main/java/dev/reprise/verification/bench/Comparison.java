package dev.reprise.verification.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Ours and a peer, case by case, and what ours is by theirs. */
final class Comparison {
  // Rates, times and times a step; not cores, counts or what is a ratio already.
  private static final Pattern COMPARABLE = Pattern.compile(".+/s|(.+ )?ms|seconds.*|.*ms/step");

  private Comparison() {}

  /** Ours, theirs and the ratio of each case; what only one of them has stays as it is. */
  static List<Result> sideBySide(List<Result> ours, List<Result> theirs) {
    var all = new ArrayList<Result>();
    var left = new ArrayList<>(theirs);
    for (var result : ours) {
      all.add(result);
      for (var other : theirs) {
        if (!isSameCase(result, other)) continue;
        all.add(other);
        var ratio = ratio(result, other);
        if (!ratio.figures().isEmpty()) all.add(ratio);
        left.remove(other);
      }
    }
    all.addAll(left);
    return all;
  }

  /** A workload may have several tables with the same cases. */
  private static boolean isSameCase(Result one, Result other) {
    return one.workload().equals(other.workload()) && one.setting().equals(other.setting());
  }

  static Result ratio(Result ours, Result theirs) {
    var ratios = new LinkedHashMap<String, Spread>();
    ours.figures()
        .forEach(
            (figure, spread) -> {
              var other = theirs.figures().get(figure);
              if (other == null || !COMPARABLE.matcher(figure).matches()) return;
              ratio(spread, other, figure, ratios);
            });
    return new Result(ours.workload(), "times " + theirs.store(), ours.setting(), ratios);
  }

  /** From the least to the most that the rounds allow. */
  private static void ratio(Spread ours, Spread theirs, String figure, Map<String, Spread> ratios) {
    var ratio =
        new Spread(
            ours.median() / theirs.median(),
            ours.min() / theirs.max(),
            ours.max() / theirs.min(),
            Math.min(ours.rounds(), theirs.rounds()));
    if (Double.isFinite(ratio.median()) && Double.isFinite(ratio.max())) ratios.put(figure, ratio);
  }
}
