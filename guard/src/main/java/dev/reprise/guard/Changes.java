package dev.reprise.guard;

import java.util.Map;
import java.util.Set;

/** Calls of the API that change a run or wait: code that may only look must not make them. */
final class Changes {
  /** Of the context only these are harmless. What draws numbers gives others to the next one. */
  private static final Set<String> LOOKS =
      Set.of(
          "current",
          "workflowId",
          "runId",
          "historySize",
          "shouldContinueAsNew",
          "cancelled",
          "now",
          "logger",
          "replaying",
          "with",
          "activities");

  private static final Map<String, Set<String>> OTHERS =
      Map.of(
          "dev/reprise/Promise", Set.of("await"),
          "dev/reprise/Scope", Set.of("fork", "join", "cancel"),
          "dev/reprise/Child", Set.of("signal", "cancel"));

  private Changes() {}

  static boolean isOne(Member call, Types types) {
    return types.isContext(call.owner())
        ? !LOOKS.contains(call.name())
        : OTHERS.getOrDefault(call.owner(), Set.of()).contains(call.name());
  }
}
