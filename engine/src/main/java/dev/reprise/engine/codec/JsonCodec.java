package dev.reprise.engine.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedCollection;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.util.TokenBuffer;

/**
 * JSON by Jackson, with what plain Java types need to survive the way there and back: sealed types
 * carry the name of the subtype, zones stay as they are, and sets and maps without an order of
 * their own are written in a fixed one, because their own differs from process to process.
 */
public final class JsonCodec implements Codec {
  private final JsonMapper mapper;
  private final Map<Type, ObjectWriter> writers = new ConcurrentHashMap<>();
  private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

  public JsonCodec() {
    this(JsonMapper.builder());
  }

  /** With a mapper set up by the user: modules, mix-ins, naming. */
  public JsonCodec(JsonMapper.Builder builder) {
    this.mapper =
        builder
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .annotationIntrospector(new SealedTypes())
            .addModule(new SimpleModule("reprise").setSerializerModifier(new OrderedSets()))
            .build();
  }

  @Override
  public byte[] encode(@Nullable Object value, Type type) {
    return writers
        .computeIfAbsent(type, t -> mapper.writerFor(mapper.constructType(t)))
        .writeValueAsBytes(value);
  }

  @Override
  public @Nullable Object decode(byte[] bytes, Type type) {
    return readers
        .computeIfAbsent(type, t -> mapper.readerFor(mapper.constructType(t)))
        .readValue(bytes);
  }

  /** A sealed type without annotations of its own is written with the name of its subtype. */
  private static final class SealedTypes extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;
    private static final JsonTypeInfo.Value BY_NAME =
        JsonTypeInfo.Value.construct(
            JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, "@type", null, false, null, null);

    @Override
    public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
        MapperConfig<?> config, Annotated annotated) {
      var declared = super.findPolymorphicTypeInfo(config, annotated);
      if (declared != null || !(annotated instanceof AnnotatedClass)) return declared;
      return annotated.getRawType().isSealed() ? BY_NAME : null;
    }
  }

  /** Puts the serializer below in front of that of every set type that may lack an order. */
  private static final class OrderedSets extends ValueSerializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public ValueSerializer<?> modifyCollectionSerializer(
        SerializationConfig config,
        CollectionType type,
        BeanDescription.Supplier description,
        ValueSerializer<?> serializer) {
      return Set.class.isAssignableFrom(type.getRawClass())
          ? new OrderedSet(serializer)
          : serializer;
    }
  }

  /** Writes the elements of a set without an order by the order of their JSON. */
  private static final class OrderedSet extends ValueSerializer<Object> {
    private final ValueSerializer<Object> elements;

    @SuppressWarnings("unchecked") // what serializes this set type is given only such sets
    OrderedSet(ValueSerializer<?> elements) {
      this.elements = (ValueSerializer<Object>) elements;
    }

    @Override
    public ValueSerializer<?> createContextual(
        SerializationContext context, tools.jackson.databind.@Nullable BeanProperty property) {
      return new OrderedSet(context.handlePrimaryContextualization(elements, property));
    }

    @Override
    public void serialize(Object value, JsonGenerator out, SerializationContext context) {
      elements.serialize(inOrder(value, context), out, context);
    }

    @Override
    public void serializeWithType(
        Object value, JsonGenerator out, SerializationContext context, TypeSerializer type) {
      elements.serializeWithType(inOrder(value, context), out, context, type);
    }

    @Override
    public boolean isEmpty(SerializationContext context, Object value) {
      return ((Set<?>) value).isEmpty();
    }

    private Object inOrder(Object value, SerializationContext context) {
      var set = (Set<?>) value;
      if (set.size() < 2 || set instanceof SortedSet || set instanceof SequencedCollection) {
        return set;
      }
      var keyed = new ArrayList<Keyed>(set.size());
      for (var element : set) keyed.add(new Keyed(json(element, context), element));
      var sorted = keyed.toArray(Keyed[]::new);
      Arrays.sort(sorted, (a, b) -> a.json.compareTo(b.json));
      var ordered = new LinkedHashSet<>();
      for (var entry : sorted) ordered.add(entry.element);
      return ordered;
    }

    private static String json(@Nullable Object element, SerializationContext context) {
      if (element == null) return "null";
      try (var buffer = TokenBuffer.forGeneration()) {
        context.writeValue(buffer, element);
        var text = new StringBuilder();
        try (var parser = buffer.asParser()) {
          for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
            text.append(token.asString()).append(parser.getString()).append('\n');
          }
        }
        return text.toString();
      }
    }

    private record Keyed(String json, @Nullable Object element) {}
  }
}
