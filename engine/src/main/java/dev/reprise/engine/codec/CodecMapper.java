package dev.reprise.engine.codec;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;

/** A mapper that shows how it writes and reads a type. */
final class CodecMapper extends JsonMapper {
  private static final long serialVersionUID = 1L;

  CodecMapper(JsonMapper.Builder builder) {
    super(builder);
  }

  ValueSerializer<?> serializerOf(JavaType type) {
    return _serializationContext().findValueSerializer(type);
  }

  ValueDeserializer<?> deserializerOf(JavaType type) {
    return _deserializationContext().findNonContextualValueDeserializer(type);
  }

  KeyDeserializer keyDeserializerOf(JavaType type) {
    return _deserializationContext().findKeyDeserializer(type, null);
  }

  /** Whether values of that type are written with the name of their class. */
  boolean isNamed(JavaType type) {
    return _serializationContext().findTypeSerializer(type) != null;
  }
}
