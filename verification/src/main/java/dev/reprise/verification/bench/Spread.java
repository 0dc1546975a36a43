package dev.reprise.verification.bench;

import java.util.List;
import java.util.Locale;

/**
 * A figure that was measured several times.
 *
 * @param rounds how many times
 */
record Spread(double median, double min, double max, int rounds) {

  static Spread of(List<Double> values) {
    var sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) throw new IllegalArgumentException("nothing was measured");
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1], sorted.length);
  }

  /** The same figure measured once more, elsewhere: the middle lies between the two. */
  Spread with(Spread other) {
    return new Spread(
        (median + other.median) / 2,
        Math.min(min, other.min),
        Math.max(max, other.max),
        rounds + other.rounds);
  }

  /** The median, and the range if there is one. */
  @Override
  public String toString() {
    var text = digits(median);
    return min == max ? text : "%s (%s..%s)".formatted(text, digits(min), digits(max));
  }

  /** Three digits that say something, or all in front of the point. */
  static String digits(double value) {
    if (value == 0) return "0";
    double size = Math.abs(value);
    int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
