package dev.reprise.verification.simulation;

import java.util.List;
import java.util.Map;

/**
 * What must have happened in many simulations. If it never did, they have gone blind: they would
 * not see what is wrong with it.
 */
final class Coverage {
  private static final List<String> NEEDED =
      List.of(
          "absences",
          "activities begun again after a crash",
          "batches of fenced nodes refused",
          "callers told of failed compensations",
          "calls made again",
          "children",
          "children whose id was in use",
          "claims unanswered",
          "clock jumps",
          "closes that had to wait for inputs",
          "compensations begun",
          "compensations begun again after a crash",
          "crashes",
          "ends of children delivered",
          "engines lost in the calm",
          "evictions asked for",
          "forks",
          "freezes",
          "held runs resumed",
          "hints doubled",
          "hints lost",
          "inputs in the inbox",
          "outages",
          "parents closed before children, ABANDON",
          "parents closed before children, CANCEL",
          "parents closed before children, TERMINATE",
          "processes killed by a run",
          "published values read",
          "queries answered",
          "receipts found",
          "restarts in good order",
          "runs CANCELLED",
          "runs COMPLETED",
          "runs CONTINUED",
          "runs FAILED",
          "runs TERMINATED",
          "runs TIMED_OUT",
          "runs held that could not be undone",
          "runs looped",
          "runs quarantined",
          "runs undone",
          "statements late",
          "statements refused",
          "statements unanswered",
          "takeovers",
          "updates done",
          "updates refused");

  private Coverage() {}

  static List<String> missing(Map<String, Long> counts) {
    return NEEDED.stream().filter(what -> !counts.containsKey(what)).toList();
  }
}
