package dev.reprise.engine.replay;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Gives ids in the order of calls: {@code name:counter}, the counter per name. Since branches take
 * turns in a fixed order, the ids of concurrent calls are the same in every run of the code.
 */
final class Ids {
  private final Map<String, Integer> counters = new HashMap<>(4);
  private Set<String> explicit = Set.of();

  String next(String name) {
    var id = name + ":" + counters.merge(name, 1, Integer::sum);
    if (!explicit.isEmpty() && explicit.contains(id)) throw duplicate(id);
    return id;
  }

  String explicit(String id) {
    if (explicit.isEmpty()) explicit = new HashSet<>();
    if (isTaken(id) || !explicit.add(id)) throw duplicate(id);
    return id;
  }

  /** Whether a counter has passed it. */
  private boolean isTaken(String id) {
    int colon = id.lastIndexOf(':');
    if (colon < 0) return false;
    var counter = counters.getOrDefault(id.substring(0, colon), 0);
    var number = id.substring(colon + 1);
    return number.matches("[1-9][0-9]{0,8}") && Integer.parseInt(number) <= counter;
  }

  private static RepriseException duplicate(String id) {
    return new RepriseException(
        ErrorCode.R104,
        "the id '%s' is used twice in one run: give each call its own, or leave it to the engine"
            .formatted(id));
  }
}
