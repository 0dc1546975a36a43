package dev.reprise.engine.codec;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of numbers, truth values and plain texts, which most arguments and results are: the same
 * bytes as Jackson writes, without its machinery.
 */
final class Scalars {
  private static final byte[] TRUE = bytes("true");
  private static final byte[] FALSE = bytes("false");

  private Scalars() {}

  /** The bytes, or null if the value is something else, or declared as something else. */
  static byte @Nullable [] encode(@Nullable Object value, Type type) {
    return switch (value) {
      case Integer number when type == Integer.class || type == int.class ->
          bytes(number.toString());
      case Long number when type == Long.class || type == long.class -> bytes(number.toString());
      case Boolean truth when type == Boolean.class || type == boolean.class ->
          truth ? TRUE.clone() : FALSE.clone();
      case String text when type == String.class -> quoted(text);
      case null, default -> null;
    };
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Null if a character has to be escaped or is not ASCII. */
  private static byte @Nullable [] quoted(String text) {
    int length = text.length();
    var json = new byte[length + 2];
    json[0] = '"';
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') return null;
      json[i + 1] = (byte) c;
    }
    json[length + 1] = '"';
    return json;
  }
}
