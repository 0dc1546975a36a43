package dev.reprise.engine.event;

import dev.reprise.engine.event.Event.ActivityCompleted;
import dev.reprise.engine.event.Event.Call;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a completed activity, which nearly every event is, written and read without a
 * JSON library: {@code {"id":"Payments.charge:1","digest":"af63bd4c8601b7be"}}. Where a text needs
 * escaping, or the object looks different, it gives up, and the library does it.
 */
final class PlainJson {
  private static final byte[] ID = bytes("{\"id\":\"");
  private static final byte[] DIGEST = bytes("\",\"digest\":\"");
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
    var json = new byte[ID.length + id.length() + DIGEST.length + digest.length() + END.length];
    int size = put(ID, json, 0);
    if (!put(id, json, size)) return null;
    size += id.length();
    if (!digest.isEmpty()) {
      size = put(DIGEST, json, size);
      if (!put(digest, json, size)) return null;
      size += digest.length();
    }
    size = put(END, json, size);
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
    int last = json.length - END.length;
    if (last < ID.length || !has(ID, json, 0) || !has(END, json, last)) return null;
    int end = endOfText(json, ID.length);
    if (end > last) return null;
    var id = text(json, ID.length, end);
    int colon = id.lastIndexOf(':');
    if (colon < 0) return null;
    if (end == last) return new Call(id, id.substring(0, colon), "");
    int digest = end + DIGEST.length;
    if (digest > last || !has(DIGEST, json, end) || endOfText(json, digest) != last) return null;
    return new Call(id, id.substring(0, colon), text(json, digest, last));
  }

  private static boolean has(byte[] part, byte[] json, int at) {
    return Arrays.equals(part, 0, part.length, json, at, at + part.length);
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
