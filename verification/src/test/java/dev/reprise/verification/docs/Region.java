package dev.reprise.verification.docs;

import java.util.List;
import java.util.stream.Collectors;

/** A part of a source file, as the documentation shows it: moved to the left, without its tags. */
final class Region {
  private Region() {}

  /** The region of that name, or all of the source if it is null. */
  static String of(List<String> source, String name) {
    var lines = name == null ? source : between(source, name);
    var shown = lines.stream().filter(line -> !isTag(line)).toList();
    int indent =
        shown.stream().filter(line -> !line.isBlank()).mapToInt(Region::indent).min().orElse(0);
    return shown.stream()
            .map(line -> line.isBlank() ? "" : line.substring(indent))
            .collect(Collectors.joining("\n"))
            .strip()
        + "\n";
  }

  private static List<String> between(List<String> source, String name) {
    var lines = source.stream().map(String::strip).toList();
    int start = lines.indexOf("// tag::" + name + "[]");
    int end = lines.indexOf("// end::" + name + "[]");
    if (start < 0 || end < start) throw new IllegalArgumentException("no region " + name);
    return source.subList(start + 1, end);
  }

  private static boolean isTag(String line) {
    return line.strip().matches("// (tag|end)::[\\w-]+\\[]");
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }
}
