package dev.reprise.engine.event;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an inline activity was called with, as far as its first event keeps it: a JSON array with an
 * element for each argument. It is there for people; replay goes by the digest.
 *
 * <p>An element is the argument itself where the codec wrote JSON. Else it is an object with a
 * {@code @kept}: {@code text} or {@code base64} with the {@code value}, or {@code not} with the
 * number of {@code bytes} and their {@code digest}, where the arguments were too long.
 */
public final class KeptArguments {
  /** How many bytes of the arguments of a call are kept, unless the engine is told otherwise. */
  public static final int LIMIT = 1_024; // a row of that size stays in its page in PostgreSQL

  /** More cannot be kept. */
  public static final int MAX_LIMIT = 32 * 1_024; // results and inputs are what may be large

  private static final String KEPT = "@kept";
  private static final byte[] TAGGED = ("{\"" + KEPT + '"').getBytes(StandardCharsets.US_ASCII);
  private static final String TEXT = "text";
  private static final String BASE64 = "base64";
  private static final String LEFT_OUT = "not";
  private static final String VALUE = "value";
  private static final String BYTES = "bytes";

  /** Numbers keep their digits. */
  private static final JsonMapper EXACT =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final byte[][] parts; // each as the codec wrote it, or one that is the array
  private final boolean recorded;

  private KeptArguments(byte[][] parts, boolean recorded) {
    this.parts = parts;
    this.recorded = recorded;
  }

  /**
   * Of a call, or null if nothing is to be kept of it.
   *
   * @param encoded each argument as the codec wrote it, which nobody may change any more
   * @param limit how many bytes they may have together; those that are beyond it are left out
   */
  public static @Nullable KeptArguments of(byte[][] encoded, int limit) {
    if (limit == 0 || encoded.length == 0) return null;
    long size = 0;
    for (var part : encoded) size += part.length;
    return size <= limit
        ? new KeptArguments(encoded, false)
        : recorded(joined(fitting(encoded, limit)));
  }

  /** Of arguments that stand one behind the other, of these lengths. */
  public static KeptArguments unpacked(Payload arguments, List<Integer> lengths) {
    var parts = new byte[lengths.size()][];
    int from = 0;
    for (int i = 0; i < parts.length; i++) {
      int to = from + lengths.get(i);
      parts[i] = Arrays.copyOfRange(arguments.bytes(), from, to);
      from = to;
    }
    return new KeptArguments(parts, false);
  }

  /** Of the attribute of an event. */
  static KeptArguments recorded(byte[] json) {
    return new KeptArguments(new byte[][] {json}, true);
  }

  /** Of the attribute of that name. */
  static KeptArguments recorded(byte[] attributes, String name) {
    return recorded(bytes(EXACT.readTree(attributes).path(name)));
  }

  /** As the attribute of an event has them. */
  byte[] json() {
    if (recorded) return parts[0];
    var elements = new byte[parts.length][];
    for (int i = 0; i < parts.length; i++) elements[i] = element(parts[i]);
    return joined(elements);
  }

  private static byte[][] fitting(byte[][] encoded, int limit) {
    var elements = new byte[encoded.length][];
    int left = limit;
    for (int i = 0; i < encoded.length; i++) {
      boolean fits = encoded[i].length <= left;
      elements[i] = fits ? element(encoded[i]) : bytes(summary(encoded[i]));
      if (fits) left -= encoded[i].length;
    }
    return elements;
  }

  private static byte[] joined(byte[][] elements) {
    if (elements.length == 0) return new byte[] {'[', ']'};
    int size = elements.length + 1;
    for (var element : elements) size += element.length;
    var json = new byte[size];
    int at = 0;
    for (var element : elements) {
      json[at] = (byte) (at == 0 ? '[' : ',');
      System.arraycopy(element, 0, json, at + 1, element.length);
      at += 1 + element.length;
    }
    json[at] = ']';
    return json;
  }

  private static byte[] element(byte[] part) {
    return CompactJson.is(part) && !startsWithTag(part) ? part : bytes(wrapped(part));
  }

  /** An argument that looks like an element of another kind. */
  private static boolean startsWithTag(byte[] part) {
    int size = TAGGED.length;
    return part.length >= size && Arrays.equals(TAGGED, 0, size, part, 0, size);
  }

  private static ObjectNode wrapped(byte[] part) {
    var text = new String(part, StandardCharsets.UTF_8);
    boolean isText = Arrays.equals(text.getBytes(StandardCharsets.UTF_8), part);
    return EXACT
        .createObjectNode()
        .put(KEPT, isText ? TEXT : BASE64)
        .put(VALUE, isText ? text : Base64.getEncoder().encodeToString(part));
  }

  private static ObjectNode summary(byte[] part) {
    var crc = new CRC32C();
    crc.update(part);
    return EXACT
        .createObjectNode()
        .put(KEPT, LEFT_OUT)
        .put(BYTES, part.length)
        .put("digest", Long.toHexString(crc.getValue()));
  }

  private static byte[] bytes(JsonNode node) {
    return EXACT.writeValueAsBytes(node);
  }

  // ---- for people -------------------------------------------------------------------------------

  /** Each argument as text. */
  public List<String> texts() {
    return elements().stream().map(KeptArguments::text).toList();
  }

  /**
   * Which arguments of a later call are others, with both texts: {@code argument 2: 5900, now
   * 6100}.
   *
   * @param shown how many characters of a text
   */
  public List<String> differencesTo(KeptArguments now, int shown) {
    var before = elements();
    var after = now.elements();
    var differences = new ArrayList<String>();
    for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
      var one = i < before.size() ? before.get(i) : null;
      var other = i < after.size() ? after.get(i) : null;
      if (one != null && other != null && isSame(one, other)) continue;
      differences.add(
          "argument %d: %s, now %s".formatted(i + 1, text(one, shown), text(other, shown)));
    }
    return differences;
  }

  /** What was changed by hand may be anything. */
  private List<JsonNode> elements() {
    try {
      return EXACT.readTree(json()).valueStream().toList();
    } catch (JacksonException damaged) {
      return List.of();
    }
  }

  /** The limit may have been another one when the other was recorded. */
  private static boolean isSame(JsonNode one, JsonNode other) {
    if (one.equals(other)) return true;
    return isLeftOut(one) != isLeftOut(other) && summaryOf(one).equals(summaryOf(other));
  }

  private static boolean isLeftOut(JsonNode element) {
    return element.path(KEPT).asString("").equals(LEFT_OUT);
  }

  private static JsonNode summaryOf(JsonNode element) {
    return isLeftOut(element) ? element : summary(encoded(element));
  }

  private static byte[] encoded(JsonNode element) {
    var value = element.path(VALUE).asString("");
    return switch (element.path(KEPT).asString("")) {
      case TEXT -> value.getBytes(StandardCharsets.UTF_8);
      case BASE64 -> Base64.getDecoder().decode(value);
      default -> bytes(element);
    };
  }

  private static String text(@Nullable JsonNode element, int shown) {
    if (element == null) return "none";
    var text = text(element);
    return text.length() <= shown ? text : text.substring(0, shown) + "…";
  }

  private static String text(JsonNode element) {
    return switch (element.path(KEPT).asString("")) {
      case TEXT -> element.path(VALUE).asString("");
      case BASE64 -> "base64 " + element.path(VALUE).asString("");
      case LEFT_OUT -> "(%,d bytes, too long to be kept)".formatted(element.path(BYTES).asInt(0));
      default -> new String(bytes(element), StandardCharsets.UTF_8);
    };
  }

  /** As an event has them. */
  @Override
  public String toString() {
    return new String(json(), StandardCharsets.UTF_8);
  }
}
