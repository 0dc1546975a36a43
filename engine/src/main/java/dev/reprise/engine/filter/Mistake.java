package dev.reprise.engine.filter;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import java.util.List;

/** Says what is wrong with a filter, and shows where. */
final class Mistake {
  private static final int WINDOW = 80; // characters of a long filter that are shown, a line
  private static final int AHEAD = 50; // of these, at most so many in front of the mistake

  private Mistake() {}

  /** Shows the part of the text around the position, and a caret below it. */
  static RepriseException at(String text, int position, String what) {
    int from = Math.max(0, position - AHEAD);
    int to = Math.min(text.length(), from + WINDOW);
    var before = (from > 0 ? "..." : "") + printable(text.substring(from, position));
    var after = printable(text.substring(position, to)) + (to < text.length() ? "..." : "");
    int column = before.codePointCount(0, before.length());
    return new RepriseException(
        ErrorCode.R129,
        List.of(
            "the filter is not valid at character %d: %s".formatted(position + 1, what),
            "  " + before + after,
            "  " + " ".repeat(column) + "^",
            "The language of filters is in docs/reference/filters.md."));
  }

  /** On one line, and as wide as it looks. */
  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }
}
