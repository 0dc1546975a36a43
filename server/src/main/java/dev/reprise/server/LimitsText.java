package dev.reprise.server;

import dev.reprise.QueueLimits;
import dev.reprise.QueueLimits.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** Limits of queues as people read and type them. */
final class LimitsText {
  private static final String NONE = "none";
  private static final Pattern RATE = Pattern.compile("(\\d+)/(\\d*)(ms|s|min|h|d)");

  private LimitsText() {}

  static String of(QueueLimits limits) {
    var parts = new ArrayList<String>();
    var concurrency = limits.concurrency();
    if (concurrency != null) parts.add(concurrency == 0 ? "paused" : concurrency + " at once");
    if (limits.perWorker() != null) parts.add(limits.perWorker() + " per worker");
    if (limits.perKey() != null) parts.add(limits.perKey() + " per key");
    if (limits.rate() != null) parts.add(rate(limits.rate()));
    if (limits.turns()) parts.add("fair");
    new TreeMap<>(limits.weights()).forEach((key, weight) -> parts.add(key + "=" + weight));
    return parts.isEmpty() ? NONE : String.join(", ", parts);
  }

  private static String rate(Rate rate) {
    long nanos = rate.per().toNanosPart() % 1_000_000;
    long millis = nanos == 0 ? rate.per().toMillis() : 0;
    for (var unit : Unit.values()) {
      if (millis > 0 && millis % unit.millis == 0) {
        return "%d/%d%s".formatted(rate.count(), millis / unit.millis, unit);
      }
    }
    return "%d/%s".formatted(rate.count(), rate.per());
  }

  /** In which times are written, the longest first. */
  private enum Unit {
    D(86_400_000),
    H(3_600_000),
    MIN(60_000),
    S(1_000),
    MS(1);

    private final long millis;

    Unit(long millis) {
      this.millis = millis;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A number or no limit.
   *
   * @param value null for no limit
   */
  record Bound(@Nullable Integer value) {
    static Bound parse(String typed) {
      if (typed.equalsIgnoreCase(NONE)) return new Bound(null);
      try {
        return new Bound(Integer.valueOf(typed));
      } catch (NumberFormatException other) {
        throw new TypeConversionException("'%s' is neither a number nor none".formatted(typed));
      }
    }
  }

  /**
   * A rate or no limit.
   *
   * @param value null for no limit
   */
  record Pace(@Nullable Rate value) {
    static Pace parse(String typed) {
      if (typed.equalsIgnoreCase(NONE)) return new Pace(null);
      var rate = RATE.matcher(typed);
      if (!rate.matches()) {
        throw new TypeConversionException(
            "'%s' is neither a rate such as 100/1s, 5/250ms or 1000/h, nor none".formatted(typed));
      }
      try {
        long times = rate.group(2).isEmpty() ? 1 : Long.parseLong(rate.group(2));
        var unit = Unit.valueOf(rate.group(3).toUpperCase(Locale.ROOT));
        var per = Duration.ofMillis(Math.multiplyExact(times, unit.millis));
        return new Pace(new Rate(Integer.parseInt(rate.group(1)), per));
      } catch (NumberFormatException | ArithmeticException tooLarge) {
        throw new TypeConversionException("'%s' is too large".formatted(typed));
      }
    }
  }
}
