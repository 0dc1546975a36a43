package dev.reprise.engine.replay;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Workflow ids of children that were given none. They begin with the id of the parent, so they grow
 * with each generation; where that would be too long, a digest of the whole id stands for its
 * middle. Pure: a replay finds the same ids.
 */
final class ChildIds {
  static final int MAX_ID = 255; // as for every workflow id

  private static final int DIGEST_BYTES = 16; // two of 2^60 ids are not the same by chance
  private static final int LONGEST_NAME = 100;

  private ChildIds() {}

  /**
   * @param parent the id of the parent, and what tells its forks apart
   * @param name the child among those of its parent, such as {@code Shipment:1}
   */
  static String of(String parent, String name) {
    var whole = parent + "/" + name;
    if (whole.length() <= MAX_ID) return whole;
    var end = "~" + digest(whole) + "/" + last(name, LONGEST_NAME);
    return first(parent, MAX_ID - end.length()) + end;
  }

  private static String digest(String text) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      var all = sha.digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(all, DIGEST_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** The beginning, without half of a character. */
  private static String first(String text, int limit) {
    int end = Math.min(limit, text.length());
    if (end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) end--;
    return text.substring(0, end);
  }

  /** The end, without half of a character. */
  private static String last(String text, int limit) {
    int begin = Math.max(0, text.length() - limit);
    if (begin > 0 && Character.isLowSurrogate(text.charAt(begin))) begin++;
    return text.substring(begin);
  }
}
