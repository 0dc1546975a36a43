package dev.reprise.verification.property;

import java.util.HashMap;
import java.util.Map;

/** How often each activity is still to fail. The key of an activity says how often it does. */
final class Failures {
  private final Map<String, Integer> left = new HashMap<>();

  /** Whether the next attempt fails. */
  boolean next(String key) {
    left.computeIfAbsent(key, Failures::failures);
    return left.merge(key, -1, Integer::sum) >= 0;
  }

  /** The key of an activity that fails so often at first. */
  static String key(String path, int failures) {
    return path + "*" + failures;
  }

  private static int failures(String key) {
    return Integer.parseInt(key.substring(key.lastIndexOf('*') + 1));
  }
}
