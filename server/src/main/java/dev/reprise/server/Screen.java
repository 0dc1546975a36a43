package dev.reprise.server;

import org.jspecify.annotations.Nullable;

/**
 * How wide the terminal is. The variable {@code COLUMNS} says so, which the launcher sets if the
 * output goes to a terminal. What goes elsewhere is not cut off.
 */
final class Screen {
  static final int ENDLESS = Integer.MAX_VALUE;
  static final String COLUMNS = "COLUMNS";

  private static final int NARROWEST = 40; // less is no terminal that people read on

  private Screen() {}

  static int width() {
    return width(System.getenv(COLUMNS));
  }

  static int width(@Nullable String columns) {
    if (columns == null || !columns.matches("[1-9]\\d{0,4}")) return ENDLESS;
    return Math.max(NARROWEST, Integer.parseInt(columns));
  }

  /** A line broken between words, each part after so many spaces. */
  static String wrapped(String line, int width, int indent) {
    var text = new StringBuilder().repeat(' ', indent);
    int column = indent;
    for (var word : line.split(" ")) {
      boolean first = column == indent;
      if (!first && column + 1 + word.length() > width) {
        text.append('\n').repeat(' ', indent);
        column = indent;
        first = true;
      }
      if (!first) text.append(' ');
      text.append(word);
      column += word.length() + (first ? 0 : 1);
    }
    return text.toString();
  }
}
