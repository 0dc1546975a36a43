package dev.reprise.server;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** Times as people read them, in the time zone of the reader. */
final class Moments {
  private static final DateTimeFormatter FULL = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
  private static final DateTimeFormatter OF_DAY = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  private final ZoneId zone;
  private final DateTimeFormatter format;

  private Moments(ZoneId zone, DateTimeFormatter format) {
    this.zone = zone;
    this.format = format;
  }

  /** For moments between these two: with the day only if there is more than one. */
  static Moments between(Instant first, Instant last, ZoneId zone) {
    boolean oneDay = first.atZone(zone).toLocalDate().equals(last.atZone(zone).toLocalDate());
    return new Moments(zone, oneDay ? OF_DAY : FULL);
  }

  private static final Pattern LENGTH = Pattern.compile("(\\d{1,9})(ms|s|min|m|h|d)");

  /** A length of time as people type it: {@code 500ms}, {@code 30s}, {@code 5min}. */
  static Duration parse(String typed) {
    var length = LENGTH.matcher(typed.strip());
    if (!length.matches()) {
      throw new TypeConversionException(
          "'%s' is no length of time such as 500ms, 30s, 5min, 2h or 1d".formatted(typed));
    }
    var unit =
        switch (length.group(2)) {
          case "ms" -> ChronoUnit.MILLIS;
          case "s" -> ChronoUnit.SECONDS;
          case "h" -> ChronoUnit.HOURS;
          case "d" -> ChronoUnit.DAYS;
          default -> ChronoUnit.MINUTES;
        };
    return Duration.of(Long.parseLong(length.group(1)), unit);
  }

  /** Always with the day. */
  static String full(Instant moment, ZoneId zone) {
    return FULL.format(moment.atZone(zone));
  }

  String text(Instant moment) {
    return format.format(moment.atZone(zone));
  }

  /** The largest unit or two, such as {@code 4.2 s} or {@code 3 d 4 h}. */
  static String text(Duration duration) {
    if (duration.toDays() > 0) return duration.toDays() + " d " + duration.toHoursPart() + " h";
    if (duration.toHours() > 0) {
      return duration.toHours() + " h " + duration.toMinutesPart() + " min";
    }
    if (duration.toMinutes() > 0) {
      return duration.toMinutes() + " min " + duration.toSecondsPart() + " s";
    }
    long millis = duration.toMillis();
    return millis < 1_000 ? millis + " ms" : "%d.%d s".formatted(millis / 1_000, millis / 100 % 10);
  }
}
