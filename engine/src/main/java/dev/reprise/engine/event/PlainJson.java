package dev.reprise.engine.event;

import dev.reprise.engine.event.Event.ActivityCompleted;
import dev.reprise.engine.event.Event.Call;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a completed activity, which nearly every event is, written and read without a
 * JSON library: {@code {"id":"Payments.charge:1","digest":"af63bd4c8601b7be","arguments":["o-1"]}}.
 * Where a text needs escaping, or the object looks different, it gives up, and the library does it.
 */
final class PlainJson {
  private static final byte[] NONE = {};
  private static final byte[] ID = bytes("{\"id\":\"");
  private static final byte[] DIGEST = bytes("\",\"digest\":\"");
  private static final byte[] ARGUMENTS = bytes("\",\"arguments\":");
  private static final byte[] END = bytes("\"}");

  private PlainJson() {}

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The attributes, or null if they are not plain. */
  static byte @Nullable [] write(ActivityCompleted event) {
    var id = event.call().id();
    var digest = event.call().digest();
    if (event.attempts() > 1 || !isNamedBy(event.call())) return null;
    var kept = event.call().arguments();
    var arguments = kept == null ? NONE : kept.json();
    int end = kept == null ? END.length : ARGUMENTS.length + arguments.length + 1;
    var json = new byte[ID.length + id.length() + DIGEST.length + digest.length() + end];
    int size = put(ID, json, 0);
    if (!put(id, json, size)) return null;
    size += id.length();
    if (!digest.isEmpty()) {
      size = put(DIGEST, json, size);
      if (!put(digest, json, size)) return null;
      size += digest.length();
    }
    if (kept == null) {
      size = put(END, json, size);
    } else {
      size = put(arguments, json, put(ARGUMENTS, json, size));
      json[size++] = '}';
    }
    return size == json.length ? json : Arrays.copyOf(json, size);
  }

  /** Whether the name of the call is the part of its id ahead of the counter. */
  private static boolean isNamedBy(Call call) {
    int length = call.name().length();
    return call.id().lastIndexOf(':') == length && call.id().startsWith(call.name());
  }

  private static int put(byte[] part, byte[] json, int at) {
    System.arraycopy(part, 0, json, at, part.length);
    return at + part.length;
  }

  private static boolean put(String text, byte[] json, int at) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isPlain(c)) return false;
      json[at + i] = (byte) c;
    }
    return true;
  }

  private static boolean isPlain(int c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
  }

  /** The call of attributes that were written here, or null if they were not. */
  static @Nullable Call read(byte[] json) {
    if (!has(ID, json, 0)) return null;
    int end = endOfText(json, ID.length);
    var id = text(json, ID.length, end);
    int colon = id.lastIndexOf(':');
    if (colon < 0) return null;
    var name = id.substring(0, colon);
    if (isEnd(json, end)) return new Call(id, name, "");
    if (!has(DIGEST, json, end)) return null;
    int from = end + DIGEST.length;
    int to = endOfText(json, from);
    if (isEnd(json, to)) return new Call(id, name, text(json, from, to));
    if (!has(ARGUMENTS, json, to)) return null;
    var arguments = arguments(json, to + ARGUMENTS.length);
    return arguments == null ? null : new Call(id, name, text(json, from, to), arguments);
  }

  /** They are always last, and no other attribute of such an event is an array. */
  private static @Nullable KeptArguments arguments(byte[] json, int from) {
    int last = json.length - 1;
    if (last - from < 2 || json[from] != '[' || json[last - 1] != ']' || json[last] != '}') {
      return null;
    }
    return KeptArguments.recorded(Arrays.copyOfRange(json, from, last));
  }

  private static boolean isEnd(byte[] json, int at) {
    return at == json.length - END.length && has(END, json, at);
  }

  private static boolean has(byte[] part, byte[] json, int at) {
    int end = at + part.length;
    return end <= json.length && Arrays.equals(part, 0, part.length, json, at, end);
  }

  /** Where the text ends that begins there: at the first character that is not plain. */
  private static int endOfText(byte[] json, int from) {
    int at = from;
    while (at < json.length && isPlain(json[at])) at++;
    return at;
  }

  private static String text(byte[] json, int from, int to) {
    return new String(json, from, to - from, StandardCharsets.ISO_8859_1);
  }
}
