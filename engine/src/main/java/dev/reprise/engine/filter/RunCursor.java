package dev.reprise.engine.filter;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import org.jspecify.annotations.Nullable;

/** Where a page of a list ends. Callers keep its text and give it back, and read nothing in it. */
public final class RunCursor {
  private static final String MARK = "r";
  private static final int RADIX = 36; // short, and safe in a URL

  private RunCursor() {}

  /** The place after the run with this key. */
  public static String after(long key) {
    return MARK + Long.toString(key, RADIX);
  }

  /**
   * The key that all runs of the page are below; of no cursor, all keys are.
   *
   * @throws RepriseException {@code R129} if it is not a cursor
   */
  public static long key(@Nullable String cursor) {
    if (cursor == null) return Long.MAX_VALUE;
    try {
      if (cursor.startsWith(MARK)) return Long.parseLong(cursor.substring(1), RADIX);
    } catch (NumberFormatException notOurs) {
      throw wrong(cursor);
    }
    throw wrong(cursor);
  }

  private static RepriseException wrong(String cursor) {
    return new RepriseException(
        ErrorCode.R129,
        "'%s' does not stand for a page: take it from the page before, as it is".formatted(cursor));
  }
}
