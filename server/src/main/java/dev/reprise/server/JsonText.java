package dev.reprise.server;

import dev.reprise.engine.codec.Codec;
import dev.reprise.engine.codec.JsonCodec;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A value as somebody typed it, or as a workflow wrote it: it is sent and shown as it is. */
record JsonText(String text) {
  static final JsonText NULL = new JsonText("null");

  /** One value and nothing behind it. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  static JsonText parse(String typed) {
    try {
      if (MAPPER.readTree(typed).isMissingNode()) throw new TypeConversionException("it is empty");
      return new JsonText(typed.strip());
    } catch (JacksonException notJson) {
      throw new TypeConversionException(
          "'%s' is not JSON (%s); a text is written with its quotes: '\"blue\"'"
              .formatted(typed, notJson.getOriginalMessage()));
    }
  }

  /** A number, true or false as such, and everything else as a text. */
  static Object scalar(String typed) {
    try {
      var node = MAPPER.readTree(typed);
      if (node.isBoolean()) return node.booleanValue();
      if (node.isNumber()) return node.numberValue();
      if (node.isString()) return node.stringValue();
      return typed;
    } catch (JacksonException notJson) {
      return typed;
    }
  }

  @Override
  public String toString() {
    return text;
  }

  /** Passes such values through, because to read and write them could change a number. */
  static final class Verbatim implements Codec {
    private final Codec others = new JsonCodec();

    @Override
    public byte[] encode(@Nullable Object value, Type type) throws Exception {
      return value instanceof JsonText(var text)
          ? text.getBytes(StandardCharsets.UTF_8)
          : others.encode(value, type);
    }

    @Override
    public @Nullable Object decode(byte[] bytes, Type type) throws Exception {
      return type == JsonText.class
          ? new JsonText(new String(bytes, StandardCharsets.UTF_8))
          : others.decode(bytes, type);
    }
  }
}
