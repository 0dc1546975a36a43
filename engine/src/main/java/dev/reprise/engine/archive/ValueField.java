package dev.reprise.engine.archive;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The user's value in a document: as JSON where that gives the same bytes again, else as text, else
 * in Base64. Replay compares results byte by byte.
 */
final class ValueField {
  private static final String JSON = "value";
  private static final String TEXT = "valueText";
  private static final String BASE64 = "valueBase64";

  private ValueField() {}

  static void write(byte[] value, ObjectNode event) {
    var tree = tree(value);
    if (tree != null) {
      event.set(JSON, tree);
      return;
    }
    var text = text(value);
    if (text != null) event.put(TEXT, text);
    else event.put(BASE64, Base64.getEncoder().encodeToString(value));
  }

  private static @Nullable JsonNode tree(byte[] value) {
    try {
      var tree = HistoryJson.MAPPER.readTree(value);
      if (tree.isMissingNode()) return null;
      return Arrays.equals(HistoryJson.MAPPER.writeValueAsBytes(tree), value) ? tree : null;
    } catch (JacksonException foreign) {
      return null;
    }
  }

  private static @Nullable String text(byte[] value) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException binary) {
      return null;
    }
  }

  /** The bytes, or null if the event has none. */
  static byte @Nullable [] read(JsonNode event, String where) {
    if (event.has(JSON)) return HistoryJson.MAPPER.writeValueAsBytes(event.get(JSON));
    if (event.has(TEXT)) return string(event, TEXT, where).getBytes(StandardCharsets.UTF_8);
    if (!event.has(BASE64)) return null;
    try {
      return Base64.getDecoder().decode(string(event, BASE64, where));
    } catch (IllegalArgumentException wrong) {
      throw new UnreadableHistory(where + "." + BASE64, "no Base64: " + wrong.getMessage(), wrong);
    }
  }

  private static String string(JsonNode event, String name, String where) {
    var node = event.path(name);
    if (node.isString()) return node.stringValue();
    throw new UnreadableHistory(where + "." + name, "a string should be here");
  }
}
