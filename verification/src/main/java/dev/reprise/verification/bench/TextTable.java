package dev.reprise.verification.bench;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in aligned columns: the first two to the left, figures to the right. */
final class TextTable {
  private static final int LEFT = 2;
  private static final String GAP = "   ";

  private final List<String> header = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  TextTable(String first, String second) {
    header.add(first);
    header.add(second);
  }

  void addColumn(String name) {
    header.add(name);
  }

  /** A row that is still to be filled. */
  List<String> addRow(String first, String second) {
    var row = new ArrayList<String>();
    row.add(first);
    row.add(second);
    rows.add(row);
    return row;
  }

  @Override
  public String toString() {
    var widths = header.stream().mapToInt(String::length).toArray();
    for (var row : rows) {
      for (int i = 0; i < widths.length; i++) widths[i] = Math.max(widths[i], row.get(i).length());
    }
    var text = new StringBuilder();
    line(header, widths, text);
    for (var row : rows) line(row, widths, text);
    return text.toString();
  }

  private static void line(List<String> cells, int[] widths, StringBuilder text) {
    var line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      var padding = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : GAP);
      line.append(i < LEFT ? cells.get(i) + padding : padding + cells.get(i));
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }
}
