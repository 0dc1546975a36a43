package dev.reprise.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Times go to PostgreSQL as microseconds, which the statements turn into {@code timestamptz}: an
 * array of numbers is much cheaper to send and to read than one of texts.
 */
final class PostgresTimes {
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");
  private static final Duration LONGEST = Duration.ofDays(365L * 1_000);

  private PostgresTimes() {}

  /** Times after the year 9999 become its last microsecond. */
  static long micros(Instant at) {
    return Micros.of(at.isAfter(LAST) ? LAST : at);
  }

  static @Nullable Long microsOrNull(@Nullable Instant at) {
    return at == null ? null : micros(at);
  }

  /** More than a thousand years become that. */
  static long micros(Duration duration) {
    var shorter = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    return TimeUnit.SECONDS.toMicros(shorter.getSeconds()) + shorter.getNano() / 1_000;
  }

  static Duration duration(ResultSet columns, int index) throws SQLException {
    return Duration.of(columns.getLong(index), ChronoUnit.MICROS);
  }

  static @Nullable Duration durationOrNull(ResultSet columns, int index) throws SQLException {
    var found = duration(columns, index);
    return columns.wasNull() ? null : found;
  }

  static Instant instant(ResultSet columns, int index) throws SQLException {
    return columns.getObject(index, OffsetDateTime.class).toInstant();
  }

  static @Nullable Instant instantOrNull(ResultSet columns, int index) throws SQLException {
    var found = columns.getObject(index, OffsetDateTime.class);
    return found == null ? null : found.toInstant();
  }
}
