package dev.reprise.testkit;

import java.time.Duration;
import java.util.Locale;

/** Durations for people: {@code 2d 3h}, {@code 1.5s}. */
final class Elapsed {
  private Elapsed() {}

  static String text(Duration duration) {
    if (duration.isZero()) return "0s";
    var text = new StringBuilder(duration.isNegative() ? "-" : "");
    var left = duration.abs();
    if (left.toDays() > 0) text.append(left.toDays()).append("d ");
    if (left.toHoursPart() > 0) text.append(left.toHoursPart()).append("h ");
    if (left.toMinutesPart() > 0) text.append(left.toMinutesPart()).append("m ");
    var seconds = left.minusMinutes(left.toMinutes());
    if (!seconds.isZero()) text.append(seconds.toString().substring("PT".length()));
    return text.toString().strip().toLowerCase(Locale.ROOT);
  }
}
