package dev.reprise.server;

import dev.reprise.Texts;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;

/**
 * Text in columns: each as wide as its contents, the last one cut off where the screen ends. What
 * must be read, such as why something failed, stands below its line instead.
 *
 * <p>Cells come from users' data, so what could move the cursor or change the colours of a terminal
 * is taken out.
 */
final class Table {
  private static final int WIDEST = 40; // of the columns that are not the last one
  private static final int NARROWEST = 10; // of the last one
  private static final String GAP = "  ";
  private static final String CUT = "...";
  private static final int INDENT = 4; // of what stands below its line

  private final int width;
  private final List<String> headings;
  private final List<Row> rows = new ArrayList<>();

  /**
   * @param isWhole whether the last cell is never cut off
   */
  private record Row(List<String> cells, boolean isWhole) {}

  Table(String... headings) {
    this(Screen.width(), headings);
  }

  Table(int width, String... headings) {
    this.width = width;
    this.headings = List.of(headings);
  }

  void add(String... cells) {
    add(false, cells);
  }

  /** A row whose last cell is never cut off. */
  void addWhole(String... cells) {
    add(true, cells);
  }

  private void add(boolean isWhole, String... cells) {
    if (cells.length != headings.size()) throw new IllegalArgumentException("not a row of this");
    rows.add(new Row(List.of(cells).stream().map(Table::printable).toList(), isWhole));
  }

  void print(PrintWriter out) {
    var widths = widths();
    out.println(Ansi.AUTO.string("@|bold " + line(headings, widths) + "|@"));
    for (var row : rows) print(row, widths, out);
  }

  private void print(Row row, int[] widths, PrintWriter out) {
    int last = widths.length - 1;
    var text = row.cells.get(last);
    if (!row.isWhole || text.length() <= widths[last]) {
      out.println(line(row.cells, widths));
      return;
    }
    var others = new ArrayList<>(row.cells);
    others.set(last, "");
    out.println(line(others, widths));
    out.println(Screen.wrapped(text, width, INDENT));
  }

  private int[] widths() {
    int last = headings.size() - 1;
    var widths = new int[headings.size()];
    int used = 0;
    for (int column = 0; column < last; column++) {
      int longest = longest(column);
      widths[column] = width == Screen.ENDLESS ? longest : Math.min(WIDEST, longest);
      used += widths[column] + GAP.length();
    }
    widths[last] = width == Screen.ENDLESS ? longest(last) : Math.max(NARROWEST, width - used);
    return widths;
  }

  private int longest(int column) {
    int longest = headings.get(column).length();
    for (var row : rows) longest = Math.max(longest, row.cells.get(column).length());
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
