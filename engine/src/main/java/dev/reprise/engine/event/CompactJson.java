package dev.reprise.engine.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Recognises JSON that can be copied into other JSON as it is: one value without white space, in
 * UTF-8, and nothing in it that the library would refuse to read.
 */
final class CompactJson {
  private static final int DEEPEST = 100; // of nested objects and arrays; the library takes 500
  private static final int LONGEST_NUMBER = 100; // the library takes 1,000 characters
  private static final int NONE = -1;
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  private CompactJson() {}

  /** Whether the bytes are such a value. */
  static boolean is(byte[] bytes) {
    return value(bytes, 0, DEEPEST) == bytes.length && isUtf8(bytes);
  }

  private static boolean isUtf8(byte[] bytes) {
    for (byte b : bytes) {
      if (b >= 0) continue;
      var text = new String(bytes, StandardCharsets.UTF_8);
      return Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes);
    }
    return true;
  }

  /** Where the value ends that begins there, or none. */
  private static int value(byte[] json, int from, int depth) {
    if (depth == 0) return NONE;
    return switch (at(json, from)) {
      case '"' -> text(json, from);
      case '{' -> members(json, from, '}', depth);
      case '[' -> members(json, from, ']', depth);
      case 't' -> word(TRUE, json, from);
      case 'f' -> word(FALSE, json, from);
      case 'n' -> word(NULL, json, from);
      default -> number(json, from);
    };
  }

  private static int at(byte[] json, int index) {
    return index < json.length ? json[index] : NONE;
  }

  /** An object or an array. */
  private static int members(byte[] json, int from, char end, int depth) {
    int at = from + 1;
    if (at(json, at) == end) return at + 1;
    while (true) {
      if (end == '}') {
        at = at(json, at) == '"' ? text(json, at) : NONE;
        if (at == NONE || at(json, at) != ':') return NONE;
        at++;
      }
      at = value(json, at, depth - 1);
      if (at == NONE) return NONE;
      int next = at(json, at++);
      if (next == end) return at;
      if (next != ',') return NONE;
    }
  }

  private static int text(byte[] json, int from) {
    for (int at = from + 1; at < json.length; at++) {
      byte b = json[at];
      if (b == '"') return at + 1;
      if (b >= 0 && b < ' ') return NONE;
      if (b != '\\') continue;
      at = escaped(json, at + 1);
      if (at == NONE) return NONE;
    }
    return NONE;
  }

  /** Where the last character of an escape is; none of half a surrogate pair. */
  private static int escaped(byte[] json, int from) {
    return switch (at(json, from)) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> from;
      case 'u' -> isControl(json, from + 1) ? from + 4 : NONE;
      default -> NONE;
    };
  }

  private static boolean isControl(byte[] json, int at) {
    return at(json, at) == '0'
        && at(json, at + 1) == '0'
        && Character.digit(at(json, at + 2), 16) >= 0
        && Character.digit(at(json, at + 3), 16) >= 0;
  }

  private static int word(byte[] word, byte[] json, int from) {
    int end = from + word.length;
    return end <= json.length && Arrays.equals(word, 0, word.length, json, from, end) ? end : NONE;
  }

  private static int number(byte[] json, int from) {
    int whole = at(json, from) == '-' ? from + 1 : from;
    int at = digits(json, whole);
    if (at == whole || (at(json, whole) == '0' && at > whole + 1)) return NONE;
    if (at(json, at) == '.') {
      int fraction = at + 1;
      at = digits(json, fraction);
      if (at == fraction) return NONE;
    }
    if (at(json, at) == 'e' || at(json, at) == 'E') {
      int sign = at(json, at + 1);
      int exponent = sign == '+' || sign == '-' ? at + 2 : at + 1;
      at = digits(json, exponent);
      if (at == exponent) return NONE;
    }
    return at - from <= LONGEST_NUMBER ? at : NONE;
  }

  private static int digits(byte[] json, int from) {
    int at = from;
    while (at(json, at) >= '0' && at(json, at) <= '9') at++;
    return at;
  }
}
