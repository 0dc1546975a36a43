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
          "calls made again",
          "claims unanswered",
          "clock jumps",
          "closes that had to wait for inputs",
          "crashes",
          "engines lost in the calm",
          "evictions asked for",
          "freezes",
          "hints doubled",
          "hints lost",
          "inputs in the inbox",
          "outages",
          "processes killed by a run",
          "receipts found",
          "restarts in good order",
          "runs CANCELLED",
          "runs COMPLETED",
          "runs quarantined",
          "statements late",
          "statements refused",
          "statements unanswered",
          "takeovers");

  private Coverage() {}

  static List<String> missing(Map<String, Long> counts) {
    return NEEDED.stream().filter(what -> !counts.containsKey(what)).toList();
  }
}
