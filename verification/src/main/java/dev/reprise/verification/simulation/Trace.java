package dev.reprise.verification.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/** What happened, line by line, if somebody wants to read it. */
final class Trace {
  private static final int LONGEST = 100_000; // lines

  private final boolean wanted;
  private final List<String> lines = new ArrayList<>();
  private LongSupplier clock = () -> 0;

  Trace(boolean wanted) {
    this.wanted = wanted;
  }

  void clock(LongSupplier nanos) {
    clock = nanos;
  }

  boolean isWanted() {
    return wanted;
  }

  void log(String format, Object... arguments) {
    if (!wanted || lines.size() == LONGEST) return;
    double millis = clock.getAsLong() / 1e6;
    lines.add("%10.3f ms  %s".formatted(millis, String.format(Locale.ROOT, format, arguments)));
  }

  List<String> lines() {
    return lines;
  }
}
