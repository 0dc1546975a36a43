package dev.reprise.server;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

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
