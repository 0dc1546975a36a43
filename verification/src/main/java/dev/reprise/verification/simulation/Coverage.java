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
          "attempts failed",
          "attempts given back",
          "attempts left to others",
          "attempts lost",
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
          "completed from outside: ACCEPTED",
          "completed from outside: ALREADY",
          "completed from outside: STALE",
          "crashes",
          "ends of children delivered",
          "engines lost in the calm",
          "evictions asked for",
          "failed from outside: ACCEPTED",
          "forged tokens refused",
          "forks",
          "freezes",
          "hand-outs answered again",
          "hand-outs held back by limits",
          "heartbeats",
          "heartbeats that came too late",
          "held runs resumed",
          "hints doubled",
          "hints lost",
          "histories misread",
          "inputs in the inbox",
          "outages",
          "parents closed before children, ABANDON",
          "parents closed before children, CANCEL",
          "parents closed before children, TERMINATE",
          "pauses before a clock was read",
          "processes killed by a run",
          "processes killed by an activity",
          "published values read",
          "queries answered",
          "queued activities cancelled",
          "queued activities late",
          "queued activities not served",
          "queued activities of forks",
          "queued activities that outlived their workflow",
          "receipts found",
          "restarts in good order",
          "results of the wrong type refused",
          "runs CANCELLED",
          "runs COMPLETED",
          "runs CONTINUED",
          "runs FAILED",
          "runs TERMINATED",
          "runs TIMED_OUT",
          "runs held that could not be undone",
          "runs held that were misread",
          "runs looped",
          "runs quarantined",
          "runs undone",
          "stale reports refused",
          "statements late",
          "statements refused",
          "statements unanswered",
          "takeovers",
          "updates done",
          "updates refused",
          "workers closed in good order",
          "workers told that nobody wants it");

  private Coverage() {}

  static List<String> missing(Map<String, Long> counts) {
    return NEEDED.stream().filter(what -> !counts.containsKey(what)).toList();
  }
}
