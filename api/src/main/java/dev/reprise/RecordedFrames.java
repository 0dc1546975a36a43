package dev.reprise;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Reads stack frames that were recorded as text, one a line, as {@link StackTraceElement#toString}
 * writes them. A line that is not a frame is left out.
 */
final class RecordedFrames {
  private static final String NATIVE = "Native Method";
  private static final String UNKNOWN = "Unknown Source";
  private static final int NATIVE_LINE = -2; // as StackTraceElement has it

  private RecordedFrames() {}

  static StackTraceElement[] of(@Nullable String text) {
    var frames = new ArrayList<StackTraceElement>();
    if (text != null) {
      for (var line : text.split("\n")) {
        var frame = frame(line.strip());
        if (frame != null) frames.add(frame);
      }
    }
    return frames.toArray(StackTraceElement[]::new);
  }

  private static @Nullable StackTraceElement frame(String line) {
    int open = line.indexOf('(');
    int dot = line.lastIndexOf('.', open);
    if (open < 0 || dot <= 0 || dot + 1 == open || !line.endsWith(")")) return null;
    var where = place(line.substring(open + 1, line.length() - 1));
    var method = line.substring(dot + 1, open);
    int slash = prefixEnd(line, dot);
    var type = line.substring(slash + 1, dot);
    if (type.isEmpty()) return null;
    var prefix = slash < 0 ? "" : line.substring(0, slash);
    int loaderEnd = prefix.indexOf('/');
    var loader = loaderEnd < 0 ? null : prefix.substring(0, loaderEnd);
    var module = prefix.substring(loaderEnd + 1);
    int at = module.indexOf('@');
    return new StackTraceElement(
        loader,
        at < 0 ? module : module.substring(0, at),
        at < 0 ? null : module.substring(at + 1),
        type,
        method,
        where.file(),
        where.line());
  }

  /** Behind the loader and the module; the name of a hidden class may have a slash itself. */
  private static int prefixEnd(String line, int dot) {
    int hidden = line.indexOf("$$");
    return line.lastIndexOf('/', hidden < 0 ? dot : Math.min(hidden, dot));
  }

  private record Place(@Nullable String file, int line) {}

  private static Place place(String text) {
    if (text.equals(NATIVE)) return new Place(null, NATIVE_LINE);
    if (text.equals(UNKNOWN)) return new Place(null, -1);
    int colon = text.lastIndexOf(':');
    try {
      if (colon > 0) {
        return new Place(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
      }
    } catch (NumberFormatException damaged) {
      return new Place(text, -1);
    }
    return new Place(text, -1);
  }
}
