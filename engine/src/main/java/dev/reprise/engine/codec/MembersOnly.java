package dev.reprise.engine.codec;

import java.util.Enumeration;
import java.util.Iterator;
import java.util.stream.BaseStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.impl.UnknownSerializer;

/**
 * Lets only values be written: not threads, streams, locks and the like, whose members are an
 * accident, and not objects without members, which say nothing.
 */
final class MembersOnly extends ValueSerializerModifier {
  private static final long serialVersionUID = 1L;

  @Override
  public ValueSerializer<?> modifySerializer(
      SerializationConfig config,
      BeanDescription.Supplier description,
      ValueSerializer<?> serializer) {
    var type = description.getBeanClass();
    if (isConsumed(type)) {
      return new Refusing("is used up by reading it: pass a list of what it gives");
    }
    boolean empty = serializer instanceof UnknownSerializer;
    if (type == Object.class || !(empty || serializer instanceof BeanSerializerBase)) {
      return serializer;
    }
    var why = Platform.whyOpaque(type);
    if (why != null) return new Refusing(why);
    return empty
        ? new Refusing("is a %s, which has no members to write".formatted(type.getName()))
        : serializer;
  }

  private static boolean isConsumed(Class<?> type) {
    return BaseStream.class.isAssignableFrom(type)
        || Iterator.class.isAssignableFrom(type)
        || Enumeration.class.isAssignableFrom(type);
  }

  /** In place of a serializer for what has no form in JSON. */
  static final class Refusing extends ValueSerializer<Object> {
    private final String why;

    Refusing(String why) {
      this.why = why;
    }

    String why() {
      return why;
    }

    @Override
    public void serialize(Object value, JsonGenerator out, SerializationContext context) {
      context.reportMappingProblem("%s", why);
    }

    @Override
    public void serializeWithType(
        Object value, JsonGenerator out, SerializationContext context, TypeSerializer type) {
      serialize(value, out, context);
    }
  }
}
