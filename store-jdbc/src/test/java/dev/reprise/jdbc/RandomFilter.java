package dev.reprise.jdbc;

import java.util.List;
import java.util.Random;

/** Makes filters, and inputs and attributes for which they may hold, of few different words. */
final class RandomFilter {
  private static final List<String> TEXTS =
      List.of(
          "a", "A", "b", "", "ab", "a%b", "a_b", "a\\b", "it's", "7", "true", "null", "[a]*?", "ä",
          "\uFFFD", "😀", "order-7", "a\nb", "\"a\"");
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-0",
          "1",
          "-1",
          "7",
          "7.0",
          "7e0",
          "7.5",
          "0.1",
          "0.10",
          "-0.001",
          "1e3",
          "1000",
          "9007199254740992",
          "9007199254740993",
          "123456789012345678",
          "1e300");
  private static final List<String> NOT_JSON =
      List.of("", "{", "nul", "{\"a\":1} x", "[01]", "{a:1}", "'a'", "[1,]", "\"a\tb\"", "NaN");
  private static final List<String> PATTERNS =
      List.of(
          "%", "_", "a%", "%b", "a\\%b", "a\\_b", "a_b", "a\\\\b", "[a]*?", "%e%", "", "__", "a*");
  private static final List<String> KEYS = List.of("a", "b", "'odd key'", "'0'");
  private static final List<String> RELATIONS = List.of("=", "!=", "<", "<=", ">", ">=");
  private static final List<String> STATUSES =
      List.of(
          "RUNNING",
          "BLOCKED",
          "COMPENSATING",
          "COMPENSATION_FAILED",
          "COMPLETED",
          "FAILED",
          "CANCELLED",
          "TIMED_OUT",
          "TERMINATED",
          "CONTINUED",
          "open",
          "closed",
          "held",
          "active");

  private final Random random;

  RandomFilter(Random random) {
    this.random = random;
  }

  // ---- filters ----------------------------------------------------------------------------------

  String filter(int depth) {
    return switch (depth == 0 ? 4 : random.nextInt(8)) {
      case 0 -> filter(depth - 1) + " and " + filter(depth - 1);
      case 1 -> filter(depth - 1) + " or " + filter(depth - 1);
      case 2 -> "not (" + filter(depth - 1) + ")";
      case 3 -> "(" + filter(depth - 1) + " or " + filter(depth - 1) + ")";
      default -> comparison();
    };
  }

  private String comparison() {
    return switch (random.nextInt(6)) {
      case 0 -> status();
      case 1 -> test(one(List.of("startedAt", "closedAt")), false, this::time);
      case 2 ->
          test(
              one(List.of("workflowId", "runId", "workflow", "parent", "blockedBy")),
              true,
              this::text);
      case 3 -> test("attribute." + one(List.of("a", "b", "none")), true, this::value);
      default -> test("input" + path(), true, this::value);
    };
  }

  private String status() {
    return switch (random.nextInt(4)) {
      case 0 -> "status = " + one(STATUSES);
      case 1 -> "status != " + one(STATUSES);
      case 2 -> "status in (" + one(STATUSES) + ", " + one(STATUSES) + ")";
      default -> "status not in (" + one(STATUSES) + ", " + one(STATUSES) + ")";
    };
  }

  private interface Words {
    String next();
  }

  private String test(String field, boolean isText, Words values) {
    return switch (random.nextInt(isText ? 8 : 7)) {
      case 0 -> field + " is null";
      case 1 -> field + " is not null";
      case 2 -> field + " in (" + values.next() + ", " + values.next() + ")";
      case 7 -> field + one(List.of(" like ", " not like ")) + quoted(one(PATTERNS));
      default -> ordered(field, values.next());
    };
  }

  private String ordered(String field, String value) {
    boolean hasOrder = !value.equals("true") && !value.equals("false");
    return field + " " + one(hasOrder ? RELATIONS : RELATIONS.subList(0, 2)) + " " + value;
  }

  private String value() {
    return switch (random.nextInt(5)) {
      case 0 -> one(List.of("true", "false"));
      case 1, 2 -> one(NUMBERS);
      default -> text();
    };
  }

  private String text() {
    return quoted(one(TEXTS));
  }

  private String time() {
    return "now + " + random.nextInt(100) + "h";
  }

  private String path() {
    var path = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      path.append(random.nextBoolean() ? "." + one(KEYS) : "[" + random.nextInt(3) + "]");
    }
    return path.toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  // ---- documents --------------------------------------------------------------------------------

  String workflow() {
    return one(TEXTS.subList(0, 3));
  }

  String parent() {
    return random.nextBoolean() ? null : one(TEXTS);
  }

  String attributes() {
    if (random.nextInt(4) == 0) return null;
    return "{\"a\":%s,\"b\":%s}".formatted(scalar(), scalar());
  }

  String input() {
    return random.nextInt(8) == 0 ? one(NOT_JSON) : json(3);
  }

  private String json(int depth) {
    return switch (depth == 0 ? 3 : random.nextInt(5)) {
      case 0, 1 ->
          "{\"a\": %s, \"odd key\":%s, \"0\":%s}"
              .formatted(json(depth - 1), json(depth - 1), json(depth - 1));
      case 2 -> "[%s,%s]".formatted(json(depth - 1), json(depth - 1));
      default -> scalar();
    };
  }

  private String scalar() {
    return switch (random.nextInt(6)) {
      case 0 -> one(List.of("true", "false", "null", "1e400"));
      case 1, 2 -> one(NUMBERS);
      default -> "\"" + escaped(one(TEXTS)) + "\"";
    };
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  private <T> T one(List<T> words) {
    return words.get(random.nextInt(words.size()));
  }
}
