package dev.reprise.server;

import dev.reprise.Texts;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;

/**
 * Text in columns: each as wide as its contents, the last one cut off where the screen ends.
 *
 * <p>Cells come from users' data, so what could move the cursor or change the colours of a terminal
 * is taken out.
 */
final class Table {
  private static final int WIDTH = 100;
  private static final int WIDEST = 40; // of the columns that are not the last one
  private static final int NARROWEST = 10; // of the last one
  private static final String GAP = "  ";
  private static final String CUT = "...";

  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... headings) {
    this.headings = List.of(headings);
  }

  void add(String... cells) {
    if (cells.length != headings.size()) throw new IllegalArgumentException("not a row of this");
    rows.add(List.of(cells).stream().map(Table::printable).toList());
  }

  void print(PrintWriter out) {
    var widths = widths();
    out.println(Ansi.AUTO.string("@|bold " + line(headings, widths) + "|@"));
    for (var row : rows) out.println(line(row, widths));
  }

  private int[] widths() {
    int last = headings.size() - 1;
    var widths = new int[headings.size()];
    int used = 0;
    for (int column = 0; column < last; column++) {
      widths[column] = Math.min(WIDEST, longest(column));
      used += widths[column] + GAP.length();
    }
    widths[last] = Math.max(NARROWEST, WIDTH - used);
    return widths;
  }

  private int longest(int column) {
    int longest = headings.get(column).length();
    for (var row : rows) longest = Math.max(longest, row.get(column).length());
    return longest;
  }

  private static String line(List<String> cells, int[] widths) {
    var line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      var cell = cut(cells.get(column), widths[column]);
      line.append(cell).repeat(' ', widths[column] - cell.length()).append(GAP);
    }
    return line.toString().stripTrailing();
  }

  private static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - CUT.length()) + CUT;
  }

  /** A text that may come from anywhere, as it is shown on a terminal. */
  static String printable(String text) {
    return Texts.shown(text);
  }

  /** A text of the engine that may have several lines, with texts from anywhere in them. */
  static String printableLines(String text) {
    return text.lines().map(Table::printable).collect(Collectors.joining("\n"));
  }
}
