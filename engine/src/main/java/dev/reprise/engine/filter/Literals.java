package dev.reprise.engine.filter;

import dev.reprise.RepriseException;
import dev.reprise.engine.filter.Field.Column;
import dev.reprise.engine.filter.Token.Kind;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Reads the values of a filter, each of a type that its field can have. */
final class Literals {
  private static final int MAX_DIGITS = 30; // of a number; a long has 19, a double 17
  private static final int MAX_EXPONENT = 300; // all databases have larger numbers than that
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private final String filter;
  private final Instant now;

  Literals(String filter, Instant now) {
    this.filter = filter;
    this.now = now;
  }

  /** A value, and of how many tokens it was. */
  record Literal(Value value, int tokens) {}

  /** Reads the value with which these tokens begin. The last of them is the end of the filter. */
  Literal read(Field field, List<Token> tokens) {
    return switch (field) {
      case Column column when column.isTime() -> time(tokens);
      case Column column -> text(column, tokens.getFirst());
      case Field.InJson _ -> inJson(tokens);
    };
  }

  private Literal text(Column column, Token token) {
    if (token.kind() == Kind.TEXT) return new Literal(new Value.Text(token.text()), 1);
    throw wrong(
        token,
        "%s is a text: expected one in 'single quotes', found %s"
            .formatted(column.label(), token.shown()));
  }

  private Literal inJson(List<Token> tokens) {
    var first = tokens.getFirst();
    if (first.kind() == Kind.TEXT) return new Literal(new Value.Text(first.text()), 1);
    if (first.isWord("true")) return new Literal(new Value.Truth(true), 1);
    if (first.isWord("false")) return new Literal(new Value.Truth(false), 1);
    if (first.kind() == Kind.NUMBER) return new Literal(number(first, first.text()), 1);
    if (first.isSymbol("-") && tokens.get(1).kind() == Kind.NUMBER) {
      return new Literal(number(first, "-" + tokens.get(1).text()), 2);
    }
    if (first.isWord("null")) throw wrong(first, "nothing equals null: use is null");
    throw wrong(
        first,
        "expected a text in 'single quotes', a number, true or false, found " + first.shown());
  }

  private Value number(Token token, String text) {
    try {
      var number = new BigDecimal(text);
      long exponent = (long) number.precision() - number.scale() - 1;
      if (number.precision() <= MAX_DIGITS && Math.abs(exponent) <= MAX_EXPONENT) {
        return new Value.Numeric(number);
      }
    } catch (NumberFormatException tooLarge) {
      throw wrong(token, "the number is too large");
    }
    throw wrong(
        token,
        "a number has at most %d digits and an exponent of at most %d"
            .formatted(MAX_DIGITS, MAX_EXPONENT));
  }

  private Literal time(List<Token> tokens) {
    var first = tokens.getFirst();
    if (first.isWord("now")) return relative(tokens);
    if (first.kind() == Kind.TEXT) return new Literal(time(first), 1);
    throw wrong(
        first,
        "expected a time such as '2026-11-01T00:00:00Z' or now - 1h, found " + first.shown());
  }

  private Literal relative(List<Token> tokens) {
    var sign = tokens.get(1);
    if (!sign.isSymbol("-") && !sign.isSymbol("+")) {
      return new Literal(new Value.Time(now.truncatedTo(ChronoUnit.MICROS)), 1);
    }
    var token = tokens.get(2);
    var span = span(token);
    return new Literal(
        inRange(token, () -> sign.isSymbol("-") ? now.minus(span) : now.plus(span)), 3);
  }

  private Duration span(Token token) {
    var text = token.text();
    if (token.kind() == Kind.SPAN && text.matches("[0-9]{1,9}[smhd]")) {
      long number = Long.parseLong(text.substring(0, text.length() - 1));
      return switch (text.charAt(text.length() - 1)) {
        case 's' -> Duration.ofSeconds(number);
        case 'm' -> Duration.ofMinutes(number);
        case 'h' -> Duration.ofHours(number);
        default -> Duration.ofDays(number);
      };
    }
    throw wrong(
        token, "expected so much time, such as 90s, 30m, 24h or 7d, found " + token.shown());
  }

  private Value time(Token token) {
    return inRange(token, () -> instant(token));
  }

  /** The start of a day in UTC, or a time with its offset. */
  private static Instant instant(Token token) {
    var text = token.text();
    return text.contains("T")
        ? OffsetDateTime.parse(text).toInstant()
        : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  private interface Calculation {
    Instant instant();
  }

  private Value inRange(Token token, Calculation calculation) {
    try {
      var time = calculation.instant().truncatedTo(ChronoUnit.MICROS);
      if (!time.isBefore(FIRST) && !time.isAfter(LAST)) return new Value.Time(time);
    } catch (DateTimeException notTime) {
      throw wrong(token, "expected a time such as '2026-11-01T00:00:00Z' or '2026-11-01'");
    }
    throw wrong(token, "the time is not in the years 1 to 9999");
  }

  private RepriseException wrong(Token token, String what) {
    return Mistake.at(filter, token.at(), what);
  }
}
